/** Texts of the trading page. */
import { article } from './italian.ts'
import { messages } from './language.ts'

export const tradingTexts = messages({
  en: {
    title: 'Trading indicators',
    lead: 'What a gas-fired plant earns, how nervous the prices are, how they move together, and what a rule of trading would have made.',
    description:
      'Spark and clean spark spread of the PUN, PSV less TTF, volatility, correlations of the indices and backtests with their equity curve.',
    depth: (days: string, plan: string) =>
      `Without a key this page reaches back ${days} days. With a ${plan} key they have all years, here and by program.`,
    holder: (plan: string) => `Shown with your ${plan} key: every stored year.`,
    lower: (held: string, plan: string) =>
      `Your key is of the ${held} plan; all years are included from the ${plan} plan on.`,
    rules: 'Every rule behind the figures',
    now: 'Latest day',
    spark: 'Spark spread',
    clean: 'Clean spark spread',
    psvTtf: 'PSV less TTF',
    volatility: 'Volatility',
    atrPun: 'Average range of the PUN, 14 days',
    atrPsv: 'Average range of PSV, 14 days',
    none: 'There are not enough prices for this yet.',
    history: 'The last year',
    show: 'Show',
    about: {
      spark: 'The PUN less the gas for it: PSV over an efficiency of 53%.',
      clean: 'The spark spread less the allowances for the gas that is burnt.',
      'psv-ttf': 'How much more gas costs in Italy than in the Netherlands.',
      volatility: 'Standard deviation of the last 30 daily returns, in percent.',
    },
    day: 'Day',
    low: 'Lowest',
    high: 'Highest',
    usual: (years: number) =>
      years === 1 ? 'range of the same days a year before' : `range of the same days in the ${years} years before`,
    correlations: 'How the indices move together',
    correlationsLead: (days: number, to: string) =>
      `Correlation of daily returns over ${days} days up to ${to}: 1 together, 0 unrelated, −1 opposite. A figure opens its two series.`,
    window: 'Window',
    days: (n: number) => `${n} days`,
    pair: (a: string, b: string) => `${a} and ${b}, the first day of the year shown as 100`,
    open: (a: string, b: string) => `${a} and ${b}`,
    index: 'Index',
    backtest: 'Backtest',
    backtestLead:
      'What a rule would have made of the daily prices. The position of a day is decided from the prices up to the day before. Past results say nothing sure about the future; this is not financial advice.',
    strategy: 'Strategy',
    strategies: {
      sma_cross: 'Crossing averages',
      threshold: 'Thresholds',
      rolling_hedge: 'Rolling hedge',
    },
    params: {
      fast: 'Fast average, days',
      slow: 'Slow average, days',
      buy_below: 'Buy below, €/MWh',
      sell_above: 'Sell above, €/MWh',
      window: 'Days for beta',
      hedge_ratio: 'Part hedged',
      cost_bps: 'Cost, hundredths of a percent',
    },
    run: 'Calculate',
    totalReturn: 'Return',
    benchmark: 'Buy and hold',
    drawdown: 'Largest fall',
    sharpe: 'Sharpe ratio',
    trades: 'Trades',
    equity: 'Strategy',
    curve: (from: string, to: string) => `Capital from ${from} to ${to}, 100 at the start`,
  },
  it: {
    title: 'Indicatori di trading',
    lead: 'Quanto rende una centrale a gas, quanto sono nervosi i prezzi, come si muovono insieme e che cosa avrebbe reso una regola di trading.',
    description:
      'Spark spread e clean spark spread del PUN, PSV meno TTF, volatilità, correlazioni degli indici e backtest con la curva del capitale.',
    depth: (days: string, plan: string) =>
      `Senza chiave questa pagina risale a ${days} giorni. Con una chiave ${plan} hai tutti gli anni, qui e da programma.`,
    holder: (plan: string) => `Mostrato con la tua chiave ${plan}: ogni anno disponibile.`,
    lower: (held: string, plan: string) =>
      `La tua chiave è del piano ${held}; tutti gli anni sono inclusi dal piano ${plan}.`,
    rules: 'Ogni regola dietro le cifre',
    now: 'Ultimo giorno',
    spark: 'Spark spread',
    clean: 'Clean spark spread',
    psvTtf: 'PSV meno TTF',
    volatility: 'Volatilità',
    atrPun: 'Ampiezza media del PUN, 14 giorni',
    atrPsv: 'Ampiezza media del PSV, 14 giorni',
    none: 'Non ci sono ancora abbastanza prezzi.',
    history: 'L’ultimo anno',
    show: 'Mostra',
    about: {
      spark: 'Il PUN meno il gas che serve a produrlo: PSV con un rendimento del 53%.',
      clean: 'Lo spark spread meno le quote di CO2 per il gas bruciato.',
      'psv-ttf': 'Quanto costa in più il gas in Italia rispetto ai Paesi Bassi.',
      volatility: 'Deviazione standard degli ultimi 30 rendimenti giornalieri, in percentuale.',
    },
    day: 'Giorno',
    low: 'Minimo',
    high: 'Massimo',
    usual: (years: number) =>
      years === 1
        ? 'intervallo degli stessi giorni un anno prima'
        : `intervallo degli stessi giorni nei ${years} anni prima`,
    correlations: 'Come si muovono insieme gli indici',
    correlationsLead: (days: number, to: string) =>
      `Correlazione dei rendimenti giornalieri su ${days} giorni fino ${article('al', to)}${to}: 1 insieme, 0 indipendenti, −1 opposti. Ogni cifra apre le due serie.`,
    window: 'Finestra',
    days: (n: number) => `${n} giorni`,
    pair: (a: string, b: string) => `${a} e ${b}, con 100 al primo giorno dell’anno mostrato`,
    open: (a: string, b: string) => `${a} e ${b}`,
    index: 'Indice',
    backtest: 'Backtest',
    backtestLead:
      'Che cosa avrebbe reso una regola sui prezzi giornalieri. La posizione di un giorno è decisa con i prezzi fino al giorno prima. I risultati passati non dicono nulla di certo sul futuro; non è consulenza finanziaria.',
    strategy: 'Strategia',
    strategies: {
      sma_cross: 'Incrocio di medie',
      threshold: 'Soglie',
      rolling_hedge: 'Copertura mobile',
    },
    params: {
      fast: 'Media veloce, giorni',
      slow: 'Media lenta, giorni',
      buy_below: 'Compra sotto, €/MWh',
      sell_above: 'Vendi sopra, €/MWh',
      window: 'Giorni per il beta',
      hedge_ratio: 'Quota coperta',
      cost_bps: 'Costo, centesimi di punto percentuale',
    },
    run: 'Calcola',
    totalReturn: 'Rendimento',
    benchmark: 'Compra e tieni',
    drawdown: 'Perdita massima',
    sharpe: 'Indice di Sharpe',
    trades: 'Operazioni',
    equity: 'Strategia',
    curve: (from: string, to: string) =>
      `Capitale ${article('dal', from)}${from} ${article('al', to)}${to}, 100 all’inizio`,
  },
})

export const keyFormTexts = messages({
  en: {
    title: 'Your key',
    lead: 'A key entered here stays in this browser and is sent to this service alone, in a header. Remove it on a computer that others use.',
    key: 'API key',
    use: 'Use this key',
    forget: 'Forget the key',
    problem: 'This key is not valid here, or its limit is reached.',
    unreachable: 'The service did not answer. Try again.',
    noScript: 'Keys are sent by a script, so that they are in no address: entering one needs JavaScript.',
    get: 'Get a free key',
    plans: 'What each plan has',
  },
  it: {
    title: 'La tua chiave',
    lead: 'La chiave inserita qui resta in questo browser ed è inviata solo a questo servizio, in un header. Rimuovila da un computer che usano altri.',
    key: 'Chiave API',
    use: 'Usa questa chiave',
    forget: 'Dimentica la chiave',
    problem: 'Questa chiave qui non è valida, o il suo limite è raggiunto.',
    unreachable: 'Il servizio non ha risposto. Riprova.',
    noScript:
      'Le chiavi sono inviate da uno script, così non compaiono in nessun indirizzo: per inserirne una serve JavaScript.',
    get: 'Ottieni una chiave gratuita',
    plans: 'Che cosa ha ogni piano',
  },
})
