/** Texts of the page that shows owners the usage of their key. */

import { counted } from '../../market/counted.ts'
import { messages } from './language.ts'

export const usageTexts = messages({
  title: ['Your key', 'La tua chiave'],
  lead: [
    'What a key has used, its alerts and webhooks with their deliveries, and how to replace it.',
    'Che cosa ha usato una chiave, i suoi avvisi e webhook con le consegne, e come sostituirla.',
  ],
  enter: ['Enter a key below to see what it has used.', 'Inserisci qui sotto una chiave per vedere che cosa ha usato.'],
  key: [(hint: string, plan: string) => `${hint}, ${plan} plan`, (hint, plan) => `${hint}, piano ${plan}`],
  used: ['Used this month', 'Usate questo mese'],
  left: ['Left', 'Restano'],
  ofQuota: [(quota: string) => `of ${quota}`, (quota) => `su ${quota}`],
  noQuota: ['no monthly quota', 'nessuna quota mensile'],
  perMinute: ['Requests a minute', 'Richieste al minuto'],
  until: [(day: string) => `counted until ${day}`, (day) => `conteggio fino al ${day}`],
  months: ['By month', 'Per mese'],
  month: ['Month', 'Mese'],
  requests: ['Requests', 'Richieste'],
  quota: ['quota of the plan', 'quota del piano'],
  alerts: ['Alerts', 'Avvisi'],
  webhooks: ['Webhooks', 'Webhook'],
  noAlerts: ['This key has no alerts.', 'Questa chiave non ha avvisi.'],
  noWebhooks: ['This key has no webhooks.', 'Questa chiave non ha webhook.'],
  fromPlan: [(plan: string) => `Included from the ${plan} plan on.`, (plan) => `Inclusi dal piano ${plan}.`],
  notHere: ['Not set up on this service.', 'Non configurati su questo servizio.'],
  what: ['What', 'Che cosa'],
  state: ['State', 'Stato'],
  receiver: ['Receiver', 'Destinatario'],
  email: ['e-mail', 'e-mail'],
  deliveries: ['Latest deliveries', 'Ultime consegne'],
  noDeliveries: ['nothing sent yet', 'ancora nulla di inviato'],
  states: [
    { active: 'active', suspended: 'suspended' },
    { active: 'attivo', suspended: 'sospeso' },
  ],
  conditions: [
    { above: 'above', below: 'below', change_pct: 'change above' },
    { above: 'sopra', below: 'sotto', change_pct: 'variazione oltre' },
  ],
  hours: ['by hour', 'per ora'],
  outcomes: [
    { pending: 'waiting', delivered: 'delivered', failed: 'failed', canceled: 'cancelled' },
    { pending: 'in attesa', delivered: 'consegnato', failed: 'fallito', canceled: 'annullato' },
  ],
  attempts: [(n: number) => counted(n, 'attempt'), (n) => counted(n, 'tentativo', 'tentativi')],
  samples: ['Two alerts on the sample data', 'Due avvisi sui dati di prova'],
  samplesLead: [
    'As they would have called a webhook in the last year. They belong to no key, call nobody, and end with the sample data.',
    'Come avrebbero chiamato un webhook nell’ultimo anno. Non appartengono ad alcuna chiave, non chiamano nessuno e finiscono con i dati di prova.',
  ],
  called: ['Latest calls', 'Ultime chiamate'],
  none: ['none in the last year', 'nessuna nell’ultimo anno'],
  rotate: ['Replace the key', 'Sostituisci la chiave'],
  rotateLead: [
    'A new key takes its place, with the same plan, limits, alerts and webhooks, and is shown once. The old one stays valid for a week, so that programs can be moved one by one. A key can be replaced once.',
    'Una nuova chiave prende il suo posto, con lo stesso piano, limiti, avvisi e webhook, ed è mostrata una sola volta. La vecchia resta valida una settimana, così puoi spostare i programmi uno alla volta. Una chiave si può sostituire una volta.',
  ],
  rotateNow: ['Issue a new key now', 'Rilascia ora una nuova chiave'],
  rotated: [
    'Your new key, shown only now; this browser uses it from here on:',
    'La tua nuova chiave, mostrata solo ora; d’ora in poi questo browser usa questa:',
  ],
  notRotated: [
    'The key could not be replaced: perhaps it was already.',
    'Non è stato possibile sostituire la chiave: forse lo era già.',
  ],
  create: ['How to create alerts and webhooks', 'Come creare avvisi e webhook'],
  newAlert: ['New alert', 'Nuovo avviso'],
  index: ['Index', 'Indice'],
  condition: ['Condition', 'Condizione'],
  threshold: ['Threshold, in €/MWh or %', 'Soglia, in €/MWh o %'],
  receivers: [
    { email: 'e-mail', text: 'webhook, a sentence (ntfy)', json: 'webhook, JSON' },
    { email: 'e-mail', text: 'webhook, una frase (ntfy)', json: 'webhook, JSON' },
  ],
  address: ['Address of the webhook', 'Indirizzo del webhook'],
  createAlert: ['Create the alert', 'Crea l’avviso'],
  mailGoes: [
    'E-mail goes only to the address of the key’s holder, once it is confirmed.',
    'Le e-mail vanno solo all’indirizzo del titolare della chiave, una volta confermato.',
  ],
  noMail: ['This service sends no e-mail.', 'Questo servizio non invia e-mail.'],
  reachable: [
    'Webhooks must be public HTTPS addresses on port 443. The operator of the service can allow other networks and ports with WEBHOOK_ALLOWED_NETWORKS and WEBHOOK_ALLOWED_PORTS.',
    'I webhook devono essere indirizzi HTTPS pubblici sulla porta 443. Chi gestisce il servizio può consentire altre reti e porte con WEBHOOK_ALLOWED_NETWORKS e WEBHOOK_ALLOWED_PORTS.',
  ],
  actions: ['Actions', 'Azioni'],
  test: ['Send a test', 'Invia una prova'],
  verify: ['Send the confirmation again', 'Invia di nuovo la conferma'],
  resume: ['Resume', 'Riattiva'],
  remove: ['Delete', 'Elimina'],
  sure: [
    'Delete this alert and the record of its deliveries?',
    'Eliminare questo avviso e l’elenco delle sue consegne?',
  ],
  notDone: ['This did not work.', 'Non ha funzionato.'],
  toConfirm: [
    'An e-mail is on its way to the holder of the key. Alerts are sent once its link is confirmed.',
    'Un’e-mail è in arrivo al titolare della chiave. Gli avvisi sono inviati quando il suo link è confermato.',
  ],
  secret: [
    'The alert is created. Its signing secret, shown only now:',
    'L’avviso è creato. Il suo segreto di firma, mostrato solo ora:',
  ],
})
