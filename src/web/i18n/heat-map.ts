/** Texts of the page of all hours of a month or a year. */
import { messages } from './language.ts'

export const heatTexts = messages({
  title: ['Hour by hour', 'Ora per ora'],
  lead: [
    'Every hour of a month or a year at a glance: a column per day, a row per hour of the clock; stronger colours are dearer hours.',
    'Ogni ora di un mese o di un anno in un colpo d’occhio: una colonna per giorno, una riga per ora, colori più forti dove costa di più.',
  ],
  period: ['Month or year', 'Mese o anno'],
  years: ['Years', 'Anni'],
  months: ['Months', 'Mesi'],
  zone: ['PUN or zone', 'PUN o zona'],
  show: ['Show', 'Mostra'],
  none: ['No prices are published for this period.', 'Per questo periodo non è pubblicato alcun prezzo.'],
  mean: ['Mean', 'Media'],
  lowest: ['Lowest hour', 'Ora più bassa'],
  highest: ['Highest hour', 'Ora più alta'],
  negative: ['Hours below zero', 'Ore sotto zero'],
  nearZero: [(price: number) => `Hours below ${price} €/MWh`, (price) => `Ore sotto ${price} €/MWh`],
  ofHours: [(hours: string) => `of ${hours}`, (hours) => `su ${hours}`],
  chart: ['Prices by day and hour. The table lists them.', 'Prezzi per giorno e ora. La tabella li elenca.'],
  csv: ['CSV of these hours', 'CSV di queste ore'],
  belowZero: ['below 0', 'sotto 0'],
  from: [(price: string) => `${price} and more`, (price) => `da ${price} in su`],
  dayTable: ['Price by day and hour', 'Prezzo per giorno e ora'],
  monthTable: ['Mean by month and hour', 'Media per mese e ora'],
  duration: ['Duration curve', 'Curva di durata'],
  durationLead: [
    'For what share of the hours the price was at least so high.',
    'Per quale quota delle ore il prezzo è stato almeno così alto.',
  ],
  share: ['Share of hours', 'Quota delle ore'],
  atLeast: ['Price at least', 'Prezzo di almeno'],
  distribution: ['What each hour costs', 'Quanto costa ogni ora'],
  distributionLead: [
    'The median of the days, the middle 80% of them, and the lowest and highest.',
    'La mediana dei giorni, l’80% centrale, il minimo e il massimo.',
  ],
  shares: [
    { lowest: 'Lowest', p10: 'p10', median: 'Median', p90: 'p90', highest: 'Highest' },
    { lowest: 'Minimo', p10: 'p10', median: 'Mediana', p90: 'p90', highest: 'Massimo' },
  ],
  source: ['Source', 'Fonte'],
  halves: [
    'In March one clock hour is missing; in October the hour from 02:00 comes twice and is shown as two halves.',
    'A marzo manca un’ora; a ottobre l’ora dalle 02:00 viene due volte ed è divisa a metà.',
  ],
})
