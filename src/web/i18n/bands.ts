/** Texts of the page of bands and months. */
import { messages } from './language.ts'

export const bandsTexts = messages({
  title: ['The PUN for your bill', 'Il PUN per la tua bolletta'],
  lead: [
    'The monthly mean prices by tariff band that bills are based on.',
    'I prezzi medi mensili per fascia oraria su cui si basano le bollette.',
  ],
  zone: ['PUN or zone', 'PUN o zona'],
  none: ['There is no complete day yet.', 'Non c’è ancora un giorno completo.'],
  months: ['Monthly means', 'Medie mensili'],
  month: ['Month', 'Mese'],
  bands: [
    { f0: 'F0 (all hours)', f1: 'F1', f2: 'F2', f3: 'F3', f23: 'F2 and F3' },
    { f0: 'F0 (tutte le ore)', f1: 'F1', f2: 'F2', f3: 'F3', f23: 'F2 e F3' },
  ],
  yearEarlier: ['F0 against a year earlier', 'F0 rispetto a un anno prima'],
  f0YearEarlier: ['F0 a year earlier', 'F0 un anno prima'],
  until: [(day: string) => `until ${day}`, (day) => `fino al ${day}`],
  definitions: [
    'F1: Monday to Friday 8 to 19. F2: Monday to Friday 7 to 8 and 19 to 23, Saturday 7 to 23. F3: the rest, Sundays and holidays.',
    'F1: da lunedì a venerdì 8–19. F2: da lunedì a venerdì 7–8 e 19–23, sabato 7–23. F3: il resto, domeniche e festivi.',
  ],
  source: ['Source', 'Fonte'],
  cost: ['What would it have cost?', 'Quanto avresti speso?'],
  costLead: [
    'Enter what you use in a month, from your bill. The figures become part of this page’s address, which you can keep as a bookmark.',
    'Inserisci i consumi di un mese, li trovi in bolletta. Le cifre diventano parte dell’indirizzo di questa pagina, che puoi salvare tra i preferiti.',
  ],
  fields: [
    {
      f1: 'Use in F1, kWh a month',
      f2: 'Use in F2, kWh a month',
      f3: 'Use in F3, kWh a month',
      f0: 'Use not split by band, kWh',
      spread: 'Supplier’s spread on the PUN, €/kWh',
      fixed: 'Fixed price with losses, €/kWh (0: none)',
      fee: 'Fixed fee, € a month',
      losses: 'Network losses on the PUN, %',
      vat: 'VAT, %',
    },
    {
      f1: 'Consumo in F1, kWh al mese',
      f2: 'Consumo in F2, kWh al mese',
      f3: 'Consumo in F3, kWh al mese',
      f0: 'Consumo non diviso per fascia, kWh',
      spread: 'Spread del fornitore sul PUN, €/kWh',
      fixed: 'Prezzo fisso con perdite, €/kWh (0: nessuno)',
      fee: 'Quota fissa, € al mese',
      losses: 'Perdite di rete sul PUN, %',
      vat: 'IVA, %',
    },
  ],
  number: [
    'A number without thousands separators, such as 1250.5',
    'Un numero senza separatori delle migliaia, per esempio 1250,5',
  ],
  monthly: [
    'Use: one number for every month, or twelve from January to December with a space between.',
    'Consumi: un numero per ogni mese, oppure dodici da gennaio a dicembre separati da spazi.',
  ],
  calculate: ['Calculate', 'Calcola'],
  costOf: [
    (kwh: string) => `Energy, losses, fee and VAT for ${kwh} kWh a month`,
    (kwh) => `Energia, perdite, quota fissa e IVA per ${kwh} kWh al mese`,
  ],
  parts: [
    {
      energy: 'Energy at the market price',
      losses: (share: string) => `Network losses, ${share}%`,
      spread: 'Spread',
      fixed: 'Energy at the fixed price',
      fee: 'Fixed fee',
      vat: (share: string) => `VAT, ${share}%`,
    },
    {
      energy: 'Energia al prezzo di mercato',
      losses: (share) => `Perdite di rete, ${share}%`,
      spread: 'Spread',
      fixed: 'Energia al prezzo fisso',
      fee: 'Quota fissa',
      vat: (share) => `IVA, ${share}%`,
    },
  ],
  isSpreadRight: [
    (most: string) => `A spread above ${most} €/kWh is unusual. Is yours in c€/kWh? 2 c€/kWh is 0.02 €/kWh.`,
    (most) => `Uno spread superiore a ${most} €/kWh è insolito. Il tuo è in c€/kWh? 2 c€/kWh sono 0,02 €/kWh.`,
  ],
  more: [(months: string) => `Show ${months} months`, (months) => `Mostra ${months} mesi`],
  contract: ['Contract', 'Contratto'],
  contracts: [
    { bands: 'Variable, by band', flat: 'Variable, one price', fixed: 'Fixed price' },
    { bands: 'Variabile, a fasce', flat: 'Variabile, monoraria', fixed: 'Prezzo fisso' },
  ],
  fixedMissing: [
    'Enter the price of the fixed contract; until then the bill is of the variable one.',
    'Inserisci il prezzo del contratto fisso; fino ad allora la bolletta è quella variabile.',
  ],
  files: ['Or read the use from your distributor’s CSV files', 'Oppure leggi i consumi dai file CSV del distributore'],
  filesHint: [
    'By quarter-hour or hour, one file or several. They are read in this page and never sent.',
    'Per quarto d’ora o per ora, uno o più file. Sono letti in questa pagina e non vengono mai inviati.',
  ],
  file: [
    {
      month: 'Month',
      total: 'Total, kWh',
      incomplete: 'incomplete',
      filled: 'The mean of # complete months is filled in.',
      filledAll: 'Each month of a year is filled in.',
      none: 'No month of the files is complete, so nothing is filled in.',
      unknown:
        'The file was not recognised at “{line}”, {columns} columns separated by “{separator}”. Known forms: a date and 24 or 96 columns of kWh, or a date and time and kWh.',
      twice: 'The day of “{line}” is there twice. Export the energy withdrawn alone, and each month once.',
      failed: 'The file could not be read.',
    },
    {
      month: 'Mese',
      total: 'Totale, kWh',
      incomplete: 'incompleto',
      filled: 'È inserita la media di # mesi completi.',
      filledAll: 'È inserito ogni mese di un anno.',
      none: 'Nessun mese dei file è completo: non è stato inserito nulla.',
      unknown:
        'Il file non è stato riconosciuto a «{line}», {columns} colonne separate da «{separator}». Formati noti: una data e 24 o 96 colonne di kWh, oppure data e ora e kWh.',
      twice: 'Il giorno di «{line}» compare due volte. Esporta solo l’energia prelevata, e ogni mese una volta.',
      failed: 'Non è stato possibile leggere il file.',
    },
  ],
  keep: ['Keep as mine', 'Salva come mio'],
  keepHint: [
    'In this browser alone; the home page and this one then use your zone, contract and consumption.',
    'Solo in questo browser; questa pagina e la home useranno poi la tua zona, il tuo contratto e i tuoi consumi.',
  ],
  notKept: ['This browser does not keep data for this site.', 'Questo browser non conserva dati per questo sito.'],
  csv: ['CSV of the costs', 'CSV dei costi'],
  total: [
    (months: number) => (months === 1 ? '1 month' : `${months} months`),
    (months) => (months === 1 ? '1 mese' : `${months} mesi`),
  ],
  notIncluded: [
    'Without transport and metering, system charges and excise duty, which a bill adds. Complete months only.',
    'Senza trasporto e gestione del contatore, oneri di sistema e accise, che la bolletta aggiunge. Solo mesi completi.',
  ],
  data: ['As data', 'Come dati'],
  dataLead: [
    'With a key as JSON, CSV and Arrow, with the hours in each band, peak and off-peak; the definitions are in',
    'Con una chiave in JSON, CSV e Arrow, con le ore di ogni fascia, picco e fuori picco; le definizioni sono in',
  ],
  document: ['Bands and months', 'Fasce e mesi'],
})
