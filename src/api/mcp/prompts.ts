/** Questions that people ask again and again, worded so that an assistant finds its tools. */
interface Prompt {
  name: string
  description: string
  arguments: { name: string; description: string; required: boolean }[]
  text(given: Record<string, string>): string
}

export const PROMPTS: readonly Prompt[] = [
  {
    name: 'when-is-it-cheap',
    description: 'The cheapest hours from now on, for an appliance or a car.',
    arguments: [
      { name: 'zone', description: 'Market zone, such as nord. Default: the national price.', required: false },
    ],
    text: ({ zone = 'nazionale' }) =>
      `With getNowAndNext for the zone ${zone}, name the cheapest hours from now on with their prices in €/kWh, in Roman time. Say until when prices are published, and whether the data are synthetic.`,
  },
  {
    name: 'what-moved-the-price',
    description: 'How a day’s price compares with the days before and with gas.',
    arguments: [{ name: 'date', description: 'Market day, YYYY-MM-DD. Default: today.', required: false }],
    text: ({ date = 'today' }) =>
      `Explain the PUN of ${date}: use getPricesSeries for pun, psv and ttf over the two weeks before it, and getPunZones for the spread of the zones. Give figures with units, days and sources; say what is not known.`,
  },
  {
    name: 'how-good-is-the-forecast',
    description: 'The forecast of the coming days, and how well past ones did.',
    arguments: [{ name: 'asset', description: 'pun, psv or ttf. Default: pun.', required: false }],
    text: ({ asset = 'pun' }) =>
      `Give the forecast of ${asset} with getForecast or getNextForecast, with its 80 % band, and how past forecasts did with getTrackRecord. Make clear that forecasts are not prices.`,
  },
]
