/** The offers portal: five files for every published day, each with ten offers that are valid on that day only. */
import type { MarketDay } from '../../../src/market/market-day.ts'
import { type FreeMarketOffer, freeMarketXml } from '../offer-files.ts'
import type { Publisher, PublisherState } from './publisher-server.ts'
import { isPublished } from './truth.ts'

const FILE =
  /^\/(offerteML|offerte)\/(\d{4})_(\d{1,2})\/PO_Offerte_([EGD])_(MLIBERO|PLACET)_(\d{4})(\d{2})(\d{2})\.(?:xml|csv)$/
const OFFERS = 10
const PLACET_BEGINNING =
  'denominazione,codice_fiscale,p_iva,url_sito_venditore,telefono,nome_offerta,cod_offerta,url_offerta,modalita_attivazione,modalita_pagamento,data_inizio,data_fine,tipo_cliente,tipo_offerta,p_fix_f,p_fix_v'
const PLACET_ENERGY = { E: 'p_vol_f1,p_vol_f2,p_vol_f3,p_vol_bf1,p_vol_bf23,p_vol_mono', G: 'p_vol' } as const
const PLACET_END = 'alpha,regione,provincia,comune'

export function areraOffers(): Publisher {
  return ({ url }, stand) => {
    const [, folder, folderYear, folderMonth, letter, kind, year, month, date] = FILE.exec(url.pathname) ?? []
    const isInPlace = folderYear === year && folderMonth === String(Number(month))
    const day = isInPlace ? Temporal.PlainDate.from(`${year}-${month}-${date}`) : undefined
    if (day === undefined || !isPublished('arera-offers', day, stand.at)) {
      return { status: 404, type: 'text/html', body: '<h1>404</h1>' }
    }
    const listed = stand.fault === 'previous-day' ? day.subtract({ days: 1 }) : day
    if (folder === 'offerteML' && kind === 'MLIBERO') {
      return { type: 'application/xml', body: freeMarket(letter as 'E' | 'G' | 'D', listed, stand) }
    }
    return { type: 'text/csv', body: placet(letter as 'E' | 'G', listed, stand) }
  }
}

function freeMarket(letter: 'E' | 'G' | 'D', day: MarketDay, { fault }: PublisherState): string {
  const market = ({ E: '01', G: '02', D: '03' } as const)[letter]
  const offers = Array.from({ length: OFFERS }, (_, n): FreeMarketOffer => {
    const kind = n % 2 === 0 ? '01' : '02'
    return {
      code: codeOf(letter, 'ML', n),
      kind,
      market,
      price: (kind === '01' ? 0.1 + n / 1000 : n / 1000).toFixed(6),
      valid: [italian(day), italian(day)],
    }
  })
  const xml = freeMarketXml(offers)
  return fault === 'changed-columns' ? xml.replaceAll('offerta>', 'offer>') : xml
}

function placet(letter: 'E' | 'G', day: MarketDay, { fault }: PublisherState): string {
  const code = fault === 'changed-columns' ? 'codice' : 'cod_offerta'
  const header = [PLACET_BEGINNING.replace('cod_offerta', code), PLACET_ENERGY[letter], PLACET_END].join(',')
  const rows = Array.from({ length: OFFERS }, (_, n) => {
    const price = (0.1 + n / 1000).toFixed(6)
    const energy = letter === 'E' ? `,,,,,${price}` : price
    return `Example S.r.l.,01234567890,01234567890,https://example.it,800000000,PLACET,${codeOf(letter, 'MP', n)},https://example.it/p,Altro,Altro,${italian(day)},${italian(day)},domestico,prezzo fisso,144.000000,,${energy},,,,`
  })
  return `${[header, ...rows].join('\n')}\n`
}

/** `000999ESFML01XX00000000000000007` */
function codeOf(letter: string, kind: 'ML' | 'MP', n: number): string {
  return `000999${letter}SF${kind}01XX${String(n).padStart(17, '0')}`
}

/** `28/03/2026` */
function italian(day: MarketDay): string {
  return day.toString().split('-').reverse().join('/')
}
