/** What GME's two markets share: the publisher, its terms, and the difference between the gas market's documents and power's. */
import { PRODUCT_ROW } from '../gme-mgas/codes.ts'

export const GME = {
  name: 'Gestore dei Mercati Energetici S.p.A. (GME)',
  url: 'https://www.mercatoelettrico.org',
  terms:
    'For information and private use, quoted as "Fonte: Gestore dei Mercati Energetici S.p.A."; redistribution and commercial use need the consent of GME.',
  redistributable: false,
  priority: 10,
}

/** Nobody else's XML begins with comments or nothing at all where its root element belongs. */
export function isGmeXml(root: string | undefined): boolean {
  return root === 'NewDataSet' || root === ''
}

/** By a row or, in a document without rows, by the schema at its front. */
export function isGasXml(xml: string): boolean {
  return xml.includes(`<${PRODUCT_ROW}>`) || xml.includes(`name="${PRODUCT_ROW}"`)
}

/** By a field that rows of power do not have, in either of the two spellings. */
export function isGasJson(json: string): boolean {
  return /"(?:Product|prodotto)"\s*:/.test(json)
}
