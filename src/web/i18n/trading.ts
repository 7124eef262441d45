/** Texts of the trading page. */
import { counted } from '../../market/counted.ts'
import { article } from './italian.ts'
import { messages } from './language.ts'

export const tradingTexts = messages({
  title: ['Trading indicators', 'Indicatori di trading'],
  lead: [
    'Zonal, gas and spark spreads, correlations, volatility, and backtests of a battery and of simple trading rules.',
    'Spread zonali, del gas e spark spread, correlazioni, volatilità e backtest di una batteria e di semplici regole di trading.',
  ],
  description: [
    'Spreads between the market zones, spark and clean spark spread of the PUN, PSV less TTF, volatility, correlations of the indices and backtests.',
    'Spread tra le zone di mercato, spark spread e clean spark spread del PUN, PSV meno TTF, volatilità, correlazioni degli indici e backtest.',
  ],
  depth: [
    (days: string, plan: string) =>
      `Without a key this page reaches back ${days} days. With a ${plan} key they have all years, here and by program.`,
    (days, plan) =>
      `Senza chiave questa pagina risale a ${days} giorni. Con una chiave ${plan} hai tutti gli anni, qui e da programma.`,
  ],
  holder: [
    (plan: string) => `Shown with your ${plan} key: every stored year.`,
    (plan) => `Mostrato con la tua chiave ${plan}: ogni anno disponibile.`,
  ],
  lower: [
    (held: string, plan: string) => `Your key is of the ${held} plan; all years are included from the ${plan} plan on.`,
    (held, plan) => `La tua chiave è del piano ${held}; tutti gli anni sono inclusi dal piano ${plan}.`,
  ],
  zones: ['Zonal spreads', 'Spread zonali'],
  period: ['Period', 'Periodo'],
  lastWeek: ['Last week', 'Settimana scorsa'],
  thirtyDays: ['Last 30 days', 'Ultimi 30 giorni'],
  zonesLead: [
    (from: string, to: string) =>
      `Mean price of the zone at the side less that of the zone above, €/MWh, ${from} to ${to}. A figure shows the distribution of its pair.`,
    (from, to) =>
      `Prezzo medio della zona a lato meno quello della zona in alto, €/MWh, ${article('dal', from)}${from} ${article('al', to)}${to}. Ogni cifra mostra la distribuzione della sua coppia.`,
  ],
  zone: ['Zone', 'Zona'],
  movers: ['Largest changes', 'Variazioni maggiori'],
  pairOfZones: ['Zones', 'Zone'],
  mean: ['Mean, €/MWh', 'Media, €/MWh'],
  moversLead: [
    (from: string, to: string) => `Pairs whose mean has changed most since the period before, ${from} to ${to}.`,
    (from, to) =>
      `Le coppie la cui media è cambiata di più rispetto al periodo precedente, ${article('dal', from)}${from} ${article('al', to)}${to}.`,
  ],
  before: ['Before', 'Prima'],
  spreadChange: ['Change', 'Variazione'],
  minus: [(a: string, b: string) => `${a} − ${b}`, (a, b) => `${a} − ${b}`],
  distribution: [
    (pair: string) => `${pair}: hourly spread from the 10th to the 90th percentile, median marked`,
    (pair) => `${pair}: spread orario dal 10º al 90º percentile, con la mediana`,
  ],
  periodFrom: ['From', 'Dal'],
  hours: ['Hours', 'Ore'],
  median: ['Median', 'Mediana'],
  rules: ['Every rule behind the figures', 'Ogni regola dietro le cifre'],
  now: ['Latest day', 'Ultimo giorno'],
  spark: ['Spark spread', 'Spark spread'],
  clean: ['Clean spark spread', 'Clean spark spread'],
  psvTtf: ['PSV less TTF', 'PSV meno TTF'],
  volatility: ['Volatility', 'Volatilità'],
  atrPun: ['Average range of the PUN, 14 days', 'Ampiezza media del PUN, 14 giorni'],
  atrPsv: ['Average range of PSV, 14 days', 'Ampiezza media del PSV, 14 giorni'],
  none: ['There are not enough prices for this yet.', 'Non ci sono ancora abbastanza prezzi.'],
  history: ['The last year', 'L’ultimo anno'],
  show: ['Show', 'Mostra'],
  about: [
    {
      spark: 'The PUN less the gas for it: PSV over an efficiency of 53%.',
      clean: 'The spark spread less the allowances for the gas that is burnt.',
      'psv-ttf': 'How much more gas costs in Italy than in the Netherlands.',
    },
    {
      spark: 'Il PUN meno il gas che serve a produrlo: PSV con un rendimento del 53%.',
      clean: 'Lo spark spread meno le quote di CO2 per il gas bruciato.',
      'psv-ttf': 'Quanto costa in più il gas in Italia rispetto ai Paesi Bassi.',
    },
  ],
  aboutVolatility: [
    'Standard deviation of the last 30 daily returns, in percent.',
    'Deviazione standard degli ultimi 30 rendimenti giornalieri, in percentuale.',
  ],
  day: ['Day', 'Giorno'],
  low: ['Lowest', 'Minimo'],
  high: ['Highest', 'Massimo'],
  usual: [
    (years: number) =>
      years === 1 ? 'range of the same days a year before' : `range of the same days in the ${years} years before`,
    (years) =>
      years === 1
        ? 'intervallo degli stessi giorni un anno prima'
        : `intervallo degli stessi giorni nei ${years} anni prima`,
  ],
  correlations: ['How the indices move together', 'Come si muovono insieme gli indici'],
  correlationsLead: [
    (days: number, to: string) =>
      `Correlation of daily returns over ${days} days up to ${to}: 1 together, 0 unrelated, −1 opposite. A figure opens its two series.`,
    (days, to) =>
      `Correlazione dei rendimenti giornalieri su ${days} giorni fino ${article('al', to)}${to}: 1 insieme, 0 indipendenti, −1 opposti. Ogni cifra apre le due serie.`,
  ],
  window: ['Window', 'Finestra'],
  days: [(n: number) => `${n} days`, (n) => `${n} giorni`],
  pair: [
    (a: string, b: string) => `${a} and ${b}, the first day of the year shown as 100`,
    (a, b) => `${a} e ${b}, con 100 al primo giorno dell’anno mostrato`,
  ],
  open: [(a: string, b: string) => `${a} and ${b}`, (a, b) => `${a} e ${b}`],
  index: ['Index', 'Indice'],
  backtest: ['Backtest', 'Backtest'],
  backtestLead: [
    'Power bought in the day-ahead auction is delivered and used on its day: it cannot be held and sold at the next day’s price. The return is that of the index itself, as if it could be held. It measures how well a rule followed the price, not a profit; trading such a view takes futures, whose prices already contain the expected change. The position of a day is decided from the prices up to the day before. This is not financial advice.',
    'L’energia comprata nell’asta del giorno prima è consegnata e consumata nel suo giorno: non si può conservare e rivendere al prezzo del giorno dopo. Il rendimento è quello dell’indice stesso, come se si potesse detenere. Misura quanto bene una regola ha seguito il prezzo, non un profitto; per operare su una tale previsione servono i futures, i cui prezzi contengono già la variazione attesa. La posizione di un giorno è decisa con i prezzi fino al giorno prima. Non è consulenza finanziaria.',
  ],
  battery: ['Battery', 'Batteria'],
  batteryLead: [
    'What a battery would have earned by buying and selling in the day-ahead auction: with perfect foresight, and as scheduled by our hourly forecast of the evening before the auction, paid at actual prices. It begins and ends each day empty; grid fees, taxes, wear and other markets are left out. This is not financial advice.',
    'Quanto avrebbe reso una batteria comprando e vendendo nell’asta del giorno prima: con previsione perfetta, e con il programma deciso dalla nostra previsione oraria della sera prima dell’asta, pagato ai prezzi effettivi. Inizia e finisce ogni giorno scarica; sono esclusi oneri di rete, imposte, usura e altri mercati. Non è consulenza finanziaria.',
  ],
  batteryFields: [
    {
      power: 'Power, MW',
      energy: 'Energy, MWh',
      efficiency: 'Round-trip efficiency, %',
      cycles: 'Cycles a day, at most',
    },
    {
      power: 'Potenza, MW',
      energy: 'Energia, MWh',
      efficiency: 'Rendimento di ciclo, %',
      cycles: 'Cicli al giorno, al massimo',
    },
  ],
  from: ['From', 'Dal'],
  to: ['To', 'Al'],
  perfect: ['Perfect foresight', 'Previsione perfetta'],
  byForecast: ['By forecast', 'Con la previsione'],
  perMwYear: ['€/MW a year', '€/MW all’anno'],
  shareReached: ['Share reached by forecast', 'Quota raggiunta con la previsione'],
  cyclesRun: ['Cycles a day', 'Cicli al giorno'],
  scaledFrom: [
    (from: string, to: string, days: number) =>
      `${from} to ${to}; a year is scaled from ${counted(days, 'day')} with every price.`,
    (from, to, days) =>
      `${article('Dal', from)}${from} ${article('al', to)}${to}; i valori annui sono riportati da ${counted(days, 'giorno', 'giorni')} con tutti i prezzi.`,
  ],
  incompleteDays: [
    (days: number) => `Left out for missing prices: ${counted(days, 'day')}.`,
    (days) => `Esclusi per prezzi mancanti: ${counted(days, 'giorno', 'giorni')}.`,
  ],
  forecastDays: [
    (days: number, live: number, replay: number) =>
      `By forecast: ${counted(days, 'day')}, ${live} with a forecast in the ledger and ${replay} with a replay; the share is of perfect foresight on the same days.`,
    (days, live, replay) =>
      `Con la previsione: ${counted(days, 'giorno', 'giorni')}, ${live} con una previsione nel registro e ${replay} con una simulazione a posteriori; la quota è sulla previsione perfetta negli stessi giorni.`,
  ],
  noForecastDays: [
    'No hourly forecast of this zone is stored for these days.',
    'Per questi giorni non è memorizzata alcuna previsione oraria di questa zona.',
  ],
  batteryMonths: ['Revenue by month, €', 'Ricavi per mese, €'],
  batteryHeads: [
    ['Month', 'Perfect', 'Forecast', 'Share', 'Days', 'Forecast days'],
    ['Mese', 'Perfetta', 'Previsione', 'Quota', 'Giorni', 'Giorni previsti'],
  ],
  strategy: ['Strategy', 'Strategia'],
  strategies: [
    {
      sma_cross: 'Crossing averages',
      threshold: 'Thresholds',
      rolling_hedge: 'Rolling hedge',
    },
    {
      sma_cross: 'Incrocio di medie',
      threshold: 'Soglie',
      rolling_hedge: 'Copertura mobile',
    },
  ],
  params: [
    {
      fast: 'Fast average, days',
      slow: 'Slow average, days',
      buy_below: 'Buy below, €/MWh',
      sell_above: 'Sell above, €/MWh',
      window: 'Days for beta',
      hedge_ratio: 'Part hedged',
      cost_bps: 'Cost, hundredths of a percent',
    },
    {
      fast: 'Media veloce, giorni',
      slow: 'Media lenta, giorni',
      buy_below: 'Compra sotto, €/MWh',
      sell_above: 'Vendi sopra, €/MWh',
      window: 'Giorni per il beta',
      hedge_ratio: 'Quota coperta',
      cost_bps: 'Costo, centesimi di punto percentuale',
    },
  ],
  run: ['Calculate', 'Calcola'],
  totalReturn: ['Return', 'Rendimento'],
  benchmark: ['Buy and hold', 'Compra e tieni'],
  drawdown: ['Largest fall', 'Perdita massima'],
  sharpe: ['Sharpe ratio', 'Indice di Sharpe'],
  trades: ['Trades', 'Operazioni'],
  equity: ['Strategy', 'Strategia'],
  curve: [
    (from: string, to: string) => `Capital from ${from} to ${to}, 100 at the start`,
    (from, to) => `Capitale ${article('dal', from)}${from} ${article('al', to)}${to}, 100 all’inizio`,
  ],
})

export const keyFormTexts = messages({
  title: ['Your key', 'La tua chiave'],
  lead: [
    'A key entered here stays in this browser and is sent to this service alone, in a header. Remove it on a computer that others use.',
    'La chiave inserita qui resta in questo browser ed è inviata solo a questo servizio, in un header. Rimuovila da un computer che usano altri.',
  ],
  key: ['API key', 'Chiave API'],
  use: ['Use this key', 'Usa questa chiave'],
  forget: ['Forget the key', 'Dimentica la chiave'],
  problem: [
    'This key is not valid here, or its limit is reached.',
    'Questa chiave qui non è valida, o il suo limite è raggiunto.',
  ],
  unreachable: ['The service did not answer. Try again.', 'Il servizio non ha risposto. Riprova.'],
  noScript: [
    'Keys are sent by a script, so that they are in no address: entering one needs JavaScript.',
    'Le chiavi sono inviate da uno script, così non compaiono in nessun indirizzo: per inserirne una serve JavaScript.',
  ],
  get: ['Get a free key', 'Ottieni una chiave gratuita'],
  plans: ['What each plan has', 'Che cosa ha ogni piano'],
})
