/** Texts of the bill estimate. */
import { article } from './italian.ts'
import { messages } from './language.ts'

export const billTexts = messages({
  title: ['What does your energy cost?', 'Quanto costa l’energia?'],
  lead: [
    'An estimate of the energy component of a household’s bill, at today’s free-market prices.',
    'Una stima della componente energia nella bolletta di una famiglia, ai prezzi di oggi del mercato libero.',
  ],
  commodity: ['What', 'Fornitura'],
  commodities: [
    { luce: 'Electricity', gas: 'Gas' },
    { luce: 'Luce', gas: 'Gas' },
  ],
  consumption: ['Annual consumption', 'Consumo annuo'],
  consumptionHint: [
    'kWh of electricity or Smc of gas, as the bill states it. A typical household: 2700 kWh, or 1100 Smc with heating.',
    'kWh di luce o Smc di gas, come indicato in bolletta. Una famiglia tipo: 2700 kWh, oppure 1100 Smc con il riscaldamento.',
  ],
  priceType: ['Price', 'Prezzo'],
  priceTypes: [
    { variabile: 'Variable', fisso: 'Fixed' },
    { variabile: 'Variabile', fisso: 'Fisso' },
  ],
  submit: ['Estimate', 'Calcola'],
  problems: [
    {
      commodity: 'Choose electricity or gas.',
      price_type: 'Choose a variable or a fixed price.',
      consumption: 'Enter a number greater than 0 and at most 1000000000, such as 2700 or 1250.5.',
      separator: 'Thousands or decimals? Enter the number without thousands separators, such as 2700.',
    },
    {
      commodity: 'Scegli luce o gas.',
      price_type: 'Scegli un prezzo variabile o fisso.',
      consumption: 'Scrivi un numero maggiore di 0 e fino a 1000000000, per esempio 2700 o 1250,5.',
      separator: 'Migliaia o decimali? Scrivi il numero senza separatori delle migliaia, per esempio 2700.',
    },
  ],
  noData: [
    'There are not enough offers, or no full month of the wholesale index, for an estimate at the moment.',
    'Al momento non ci sono abbastanza offerte, o un mese intero dell’indice all’ingrosso, per una stima.',
  ],
  result: ['The estimate', 'La stima'],
  price: ['Price of the energy', 'Prezzo dell’energia'],
  year: ['Energy per year', 'Energia in un anno'],
  month: ['per month', 'in un mese'],
  assumptions: ['Assumptions', 'Ipotesi'],
  yourConsumption: ['Your consumption', 'Il tuo consumo'],
  fixedOffers: [
    (n: string) => `Median price of ${n} fixed offers to households`,
    (n) => `Mediana dei prezzi di ${n} offerte fisse alle famiglie`,
  ],
  reference: [
    (asset: string, from: string, to: string) => `Average ${asset} from ${from} to ${to}`,
    (asset, from, to) => `Media del ${asset} ${article('dal', from)}${from} ${article('al', to)}${to}`,
  ],
  spread: [
    (n: string) => `Median spread of ${n} variable offers to households`,
    (n) => `Mediana dello spread di ${n} offerte variabili alle famiglie`,
  ],
  units: [
    { 'kWh/year': 'kWh/year', 'Smc/year': 'Smc/year' },
    { 'kWh/year': 'kWh/anno', 'Smc/year': 'Smc/anno' },
  ],
  kwhPerSmc: ['Energy of a standard cubic metre', 'Energia di un metro cubo standard'],
  notIncluded: ['What it does not include', 'Che cosa non comprende'],
  items: [
    'The fixed fee of the seller, transport and metering, system charges, excise duty and VAT are not included.',
    'La stima non comprende quota fissa del venditore, trasporto e contatore, oneri di sistema, accise e IVA.',
  ],
  share: [
    (from: number, to: number) =>
      `As an order of magnitude, they make up ${from} to ${to}% of a household’s whole bill.`,
    (from, to) => `Come ordine di grandezza, pesano dal ${from} al ${to}% sull’intera bolletta di una famiglia.`,
  ],
  compare: ['Compare offers on the regulator’s portal', 'Confronta le offerte sul portale del regolatore'],
  updated: [(_day: string): string => 'Offers of ', (day) => `Offerte ${article('del', day)}`],
  asData: ['The same as data', 'La stima come dati'],
  bands: [
    'The PUN of each month by tariff band, and what your own use would have cost',
    'Il PUN di ogni mese per fascia, e quanto avresti speso con i tuoi consumi',
  ],
  more: ['For suppliers and traders', 'Per venditori e operatori'],
  moreText: [
    'The margin of a portfolio under stress (Pro) and the test of a strategy on past prices (Trading) are computed by the API:',
    'L’API calcola il margine di un portafoglio sotto stress (Pro) e prova una strategia sui prezzi passati (Trading):',
  ],
})
