/** Files of the offers portal for tests: real format, invented values. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

export interface FreeMarketOffer {
  code: string
  /** As TIPO_OFFERTA; 02 is indexed to the PUN. */
  kind: '01' | '02'
  /** As TIPO_MERCATO: electricity, gas, both together. Default: electricity. */
  market?: '01' | '02' | '03'
  /** First and last day on which customers can sign it, as the portal writes them. */
  valid?: readonly [string, string]
  price: string
  feeEurYear?: string
  /** Free text; in real offers several kilobytes. */
  description?: string
}

const HEAD = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<ListaOfferteMercatoLibero xmlns="http://www.acquirenteunico.it/schemas/SII_AU/OffertaRetail/01">
`
const TAIL = '</ListaOfferteMercatoLibero>\n'

/** `PO_Offerte_E_MLIBERO_YYYYMMDD.xml` as text: household offers with one price, valid from 2023 to 2030 by default. */
export function freeMarketXml(offers: Iterable<FreeMarketOffer>): string {
  return HEAD + [...offers].map(offerXml).join('') + TAIL
}

/** The same, streamed to a file. */
export async function writeFreeMarketXml(file: string, offers: Iterable<FreeMarketOffer>): Promise<void> {
  const stream = createWriteStream(file)
  stream.write(HEAD)
  for (const offer of offers) if (!stream.write(offerXml(offer))) await once(stream, 'drain')
  stream.end(TAIL)
  await once(stream, 'finish')
}

function offerXml({
  code,
  kind,
  price,
  market = '01',
  valid = ['01/01/2023', '31/12/2030'],
  feeEurYear = '120.0',
  description = 'Offerta di esempio',
}: FreeMarketOffer): string {
  const isGas = market === '02'
  const index = `<RiferimentiPrezzoEnergia><IDX_PREZZO_ENERGIA>${isGas ? '14' : '12'}</IDX_PREZZO_ENERGIA></RiferimentiPrezzoEnergia>`
  return `<offerta>
  <IdentificativiOfferta><PIVA_UTENTE>01234567890</PIVA_UTENTE><COD_OFFERTA>${code}</COD_OFFERTA></IdentificativiOfferta>
  <DettaglioOfferta><TIPO_MERCATO>${market}</TIPO_MERCATO><OFFERTA_SINGOLA>SI</OFFERTA_SINGOLA><TIPO_CLIENTE>01</TIPO_CLIENTE>
    <TIPO_OFFERTA>${kind}</TIPO_OFFERTA><TIPOLOGIA_ATT_CONTR>99</TIPOLOGIA_ATT_CONTR><NOME_OFFERTA>Esempio</NOME_OFFERTA>
    <DESCRIZIONE>${description}</DESCRIZIONE><DURATA>12</DURATA><GARANZIE>NO</GARANZIE>
    <ModalitaAttivazione><MODALITA>01</MODALITA></ModalitaAttivazione><Contatti><TELEFONO>800000000</TELEFONO></Contatti>
  </DettaglioOfferta>
  ${kind === '02' ? index : ''}
  <ValiditaOfferta><DATA_INIZIO>${valid[0]}_00:00:00</DATA_INIZIO><DATA_FINE>${valid[1]}_23:59:59</DATA_FINE></ValiditaOfferta>
  <CaratteristicheOfferta/><ComponentiRegolate/>
  <MetodoPagamento><MODALITA_PAGAMENTO>01</MODALITA_PAGAMENTO></MetodoPagamento>
  <TipoPrezzo><TIPOLOGIA_FASCE>01</TIPOLOGIA_FASCE></TipoPrezzo>
  <Dispacciamento><TIPO_DISPACCIAMENTO>14</TIPO_DISPACCIAMENTO><NOME>CdispD</NOME></Dispacciamento>
  <ComponenteImpresa><NOME>Energia</NOME><DESCRIZIONE>${description}</DESCRIZIONE><TIPOLOGIA>01</TIPOLOGIA><MACROAREA>04</MACROAREA>
    <IntervalloPrezzi>${isGas ? '' : '<FASCIA_COMPONENTE>01</FASCIA_COMPONENTE>'}<PREZZO>${price}</PREZZO><UNITA_MISURA>${isGas ? '04' : '03'}</UNITA_MISURA></IntervalloPrezzi></ComponenteImpresa>
  <ComponenteImpresa><NOME>Quota fissa</NOME><DESCRIZIONE>Quota fissa</DESCRIZIONE><TIPOLOGIA>01</TIPOLOGIA><MACROAREA>01</MACROAREA>
    <IntervalloPrezzi><PREZZO>${feeEurYear}</PREZZO><UNITA_MISURA>01</UNITA_MISURA></IntervalloPrezzi></ComponenteImpresa>
  <CondizioniContrattuali><TIPOLOGIA_CONDIZIONE>99</TIPOLOGIA_CONDIZIONE><DESCRIZIONE>${description}</DESCRIZIONE><LIMITANTE>02</LIMITANTE></CondizioniContrattuali>
</offerta>
`
}
