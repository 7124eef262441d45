/** Texts of charts and their tools. */
import { messages } from './language.ts'

export const chartTexts = messages({
  csv: ['CSV of what you see', 'CSV di ciò che vedi'],
  png: ['Picture (PNG)', 'Immagine (PNG)'],
  whole: ['Whole range', 'Tutto il periodo'],
  zoom: ['Drag across the chart to zoom in.', 'Trascina sul grafico per ingrandire.'],
  settings: ['What the chart shows', 'Che cosa mostra il grafico'],
  from: ['From', 'Dal'],
  to: ['To', 'Al'],
  detail: ['Detail', 'Dettaglio'],
  details: [
    { day: 'Days', hour: 'Hours' },
    { day: 'Giorni', hour: 'Ore' },
  ],
  zone: ['PUN or zone', 'PUN o zona'],
  with: ['Together with', 'Insieme a'],
  nothing: ['nothing else', 'nient’altro'],
  indices: ['Indices', 'Indici'],
  zones: ['Zones', 'Zone'],
  previous: ['Lay the year before over it', 'Sovrapponi l’anno prima'],
  show: ['Show', 'Mostra'],
  yearBefore: [(name: string) => `${name}, a year before`, (name) => `${name}, un anno prima`],
  weeksBefore: [(name: string) => `${name}, 52 weeks before`, (name) => `${name}, 52 settimane prima`],
  rightAxis: ['right axis', 'asse destro'],
  mean: ['mean', 'media'],
  about: ['Metadata (JSON)', 'Metadati (JSON)'],
  index: ['index, first day = 100', 'indice, primo giorno = 100'],
  punIndex: [
    'the PUN has been the PUN Index GME since this day, a weighted mean of the zonal prices; earlier values had another definition.',
    'da questo giorno il PUN è il PUN Index GME, media ponderata dei prezzi zonali; i valori precedenti avevano un’altra definizione.',
  ],
  clockChange: [
    (hours: number) => `the clocks change; the day has ${hours} hours.`,
    (hours) => `cambia l’ora; il giorno ha ${hours} ore.`,
  ],
  corrected: ['the price was corrected.', 'il prezzo è stato corretto.'],
  month: ['Month', 'Mese'],
  hour: ['Hour', 'Ora'],
  monthMeans: [
    'means of months; the CSV and the chart have every day',
    'medie mensili; il CSV e il grafico hanno ogni giorno',
  ],
  dayMeans: [
    'means of days; the CSV and the chart have every hour',
    'medie giornaliere; il CSV e il grafico hanno ogni ora',
  ],
  cutHours: [
    'Hours are shown for at most a year at a time; these begin on',
    'Le ore si vedono per un anno al massimo alla volta; queste iniziano il',
  ],
  cutDepth: [
    'Charts of days go back ten years; these begin on',
    'I grafici dei giorni arrivano a dieci anni fa; questi dati iniziano il',
  ],
})
