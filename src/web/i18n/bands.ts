/** Texts of the page of bands and months. */
import { messages } from './language.ts'

export const bandsTexts = messages({
  en: {
    title: 'The PUN for your bill',
    lead: 'What bills are made of: the mean price of each month in the tariff bands, over the hours that belong to them.',
    zone: 'PUN or zone',
    none: 'There is no complete day yet.',
    months: 'Monthly means',
    month: 'Month',
    bands: { f0: 'F0 (all hours)', f1: 'F1', f2: 'F2', f3: 'F3', f23: 'F2 and F3' },
    yearEarlier: 'F0 against a year earlier',
    f0YearEarlier: 'F0 a year earlier',
    until: (day: string) => `until ${day}`,
    definitions:
      'F1: Monday to Friday 8 to 19. F2: Monday to Friday 7 to 8 and 19 to 23, Saturday 7 to 23. F3: the rest, Sundays and holidays.',
    source: 'Source',
    cost: 'What would it have cost?',
    costLead:
      'Enter what you use in a month, from your bill. They become part of this page’s address, which you can keep as a bookmark.',
    fields: {
      f1: 'Use in F1, kWh a month',
      f2: 'Use in F2, kWh a month',
      f3: 'Use in F3, kWh a month',
      spread: 'Supplier’s spread on the PUN, €/kWh',
      fixed: 'Price of a fixed offer, €/kWh (0: none)',
      fee: 'Fixed fee, € a month',
    },
    calculate: 'Calculate',
    costOf: (kwh: string) => `Energy and fee for ${kwh} kWh a month`,
    byBand: 'Variable, by band',
    flat: 'Variable, one price',
    fixedOffer: 'Fixed offer',
    total: (months: number) => `${months} months`,
    notIncluded: 'Without grid losses, transport, system charges and taxes. Complete months only.',
    data: 'As data',
    dataLead:
      'With a key as JSON, CSV and Arrow, with the hours in each band, peak and off-peak; the definitions are in',
    document: 'Bands and months',
  },
  it: {
    title: 'Il PUN per la tua bolletta',
    lead: 'Di che cosa è fatta la bolletta: il prezzo medio di ogni mese nelle fasce, sulle ore che vi appartengono.',
    zone: 'PUN o zona',
    none: 'Non c’è ancora un giorno completo.',
    months: 'Medie mensili',
    month: 'Mese',
    bands: { f0: 'F0 (tutte le ore)', f1: 'F1', f2: 'F2', f3: 'F3', f23: 'F2 e F3' },
    yearEarlier: 'F0 rispetto a un anno prima',
    f0YearEarlier: 'F0 un anno prima',
    until: (day: string) => `fino al ${day}`,
    definitions:
      'F1: da lunedì a venerdì 8–19. F2: da lunedì a venerdì 7–8 e 19–23, sabato 7–23. F3: il resto, domeniche e festivi.',
    source: 'Fonte',
    cost: 'Quanto avresti speso?',
    costLead:
      'Inserisci i consumi di un mese, li trovi in bolletta. Diventano parte dell’indirizzo di questa pagina, che puoi salvare tra i preferiti.',
    fields: {
      f1: 'Consumo in F1, kWh al mese',
      f2: 'Consumo in F2, kWh al mese',
      f3: 'Consumo in F3, kWh al mese',
      spread: 'Spread del fornitore sul PUN, €/kWh',
      fixed: 'Prezzo di un’offerta fissa, €/kWh (0: nessuna)',
      fee: 'Quota fissa, € al mese',
    },
    calculate: 'Calcola',
    costOf: (kwh: string) => `Energia e quota fissa per ${kwh} kWh al mese`,
    byBand: 'Variabile, a fasce',
    flat: 'Variabile, monoraria',
    fixedOffer: 'Offerta fissa',
    total: (months: number) => `${months} mesi`,
    notIncluded: 'Senza perdite di rete, trasporto, oneri di sistema e imposte. Solo mesi completi.',
    data: 'Come dati',
    dataLead:
      'Con una chiave in JSON, CSV e Arrow, con le ore di ogni fascia, picco e fuori picco; le definizioni sono in',
    document: 'Fasce e mesi',
  },
})
