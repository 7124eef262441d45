/** Texts of the pages that issue Developer keys. */
import { messages } from './language.ts'

export const developerKeyTexts = messages({
  title: ['Get a Developer key', 'Ottieni una chiave Developer'],
  lead: [
    'Free, also for commercial use, as long as the source is shown next to the data.',
    'Gratuita, anche per uso commerciale, purché la fonte sia indicata accanto ai dati.',
  ],
  off: [
    'This service sends no mail, so keys are not issued on this page.',
    'Questo servizio non invia posta, quindi questa pagina non rilascia chiavi.',
  ],
  without: ['What works without a key', 'Che cosa funziona senza chiave'],
  withoutOpen: [
    'The current prices, the last 30 days of each index and the track record, for programs; every page and every price card.',
    'I prezzi attuali, gli ultimi 30 giorni di ogni indice e i risultati delle previsioni, per i programmi; ogni pagina e ogni scheda dei prezzi.',
  ],
  withoutLocal: [
    'From the machine on which the service runs, also the feeds for home automation and calendars.',
    'Dal computer su cui gira il servizio, anche i feed per la domotica e i calendari.',
  ],
  operator: ['If you operate it', 'Se lo gestisci tu'],
  operatorHow: [
    'One command issues a key and prints it once; it runs beside the running service.',
    'Un comando rilascia una chiave e la mostra una sola volta; funziona mentre il servizio è attivo.',
  ],
  ownerExample: ['Ada, accounting', 'Ada, contabilità'],
  operatorLocal: [
    'The first start in a terminal on your own machine has printed a key for it. Lost it? The command issues another.',
    'Il primo avvio in un terminale del tuo computer ha mostrato una chiave. L’hai persa? Il comando ne rilascia un’altra.',
  ],
  operatorMail: [
    'With a mail server (SMTP_URL and MAIL_FROM) people get their keys here themselves.',
    'Con un server di posta (SMTP_URL e MAIL_FROM) ognuno ottiene qui la propria chiave.',
  ],
  usage: ['See what a key has used', 'Che cosa ha usato una chiave'],
  perMinute: ['requests a minute', 'richieste al minuto'],
  perMonth: ['requests a month', 'richieste al mese'],
  history: ['days of daily history, as JSON and CSV', 'giorni di storico giornaliero, in JSON e CSV'],
  morePlans: ['All plans and limits', 'Tutti i piani e i limiti'],
  email: ['E-mail address', 'Indirizzo e-mail'],
  emailHint: [
    'We send a link to it. The address is stored with the key and used for nothing else.',
    'Ti inviamo un link. L’indirizzo è conservato con la chiave e non serve ad altro.',
  ],
  noAddress: [
    'Please enter an e-mail address, such as name@example.com.',
    'Inserisci un indirizzo e-mail, per esempio nome@example.com.',
  ],
  send: ['Send me the link', 'Invia il link'],
  onePerAddress: [
    'There is one key per address. If you have lost yours, request another: it replaces the old key, which stops working.',
    'C’è una chiave per indirizzo. L’hai persa? Chiedine un’altra: sostituisce la vecchia, che smette di funzionare.',
  ],
  sentTitle: ['Check your mailbox', 'Controlla la posta'],
  sent: [
    'If the address can receive mail, a link is on its way to it. It is valid for 24 hours.',
    'Se l’indirizzo può ricevere posta, un link è in arrivo. Vale 24 ore.',
  ],
  sentHint: [
    'Nothing after a few minutes? Check the spam folder. An address gets at most three mails a day.',
    'Non arriva nulla dopo qualche minuto? Guarda nella posta indesiderata. Un indirizzo riceve al massimo tre messaggi al giorno.',
  ],
  askAgain: ['Request a link', 'Chiedi un link'],
  confirmTitle: ['Confirm your address', 'Conferma il tuo indirizzo'],
  confirmLead: [
    'One click, and your key is shown: once, on the next page. Have a safe place for it ready.',
    'Un clic e la chiave appare: una sola volta, nella prossima pagina. Tieni pronto un posto sicuro.',
  ],
  confirmReplaces: [
    'If this address has a key already, that one stops working.',
    'Se questo indirizzo ha già una chiave, quella smette di funzionare.',
  ],
  confirm: ['Show my key', 'Mostra la mia chiave'],
  notGoodTitle: ['This link is no longer valid', 'Questo link non vale più'],
  notGood: [
    'It was already used, is more than a day old, or is incomplete. No key has changed.',
    'È già stato usato, ha più di un giorno o è incompleto. Nessuna chiave è cambiata.',
  ],
  tooManyTitle: ['Too many requests', 'Troppe richieste'],
  tooMany: [
    'Too many requests came from your network address today. Please try again later.',
    'Oggi dal tuo indirizzo di rete sono arrivate troppe richieste. Riprova più tardi.',
  ],
  keyTitle: ['Your Developer key', 'La tua chiave Developer'],
  keyLead: [
    'It is shown only now. Treat it like a password, and never put it in the script of a public page.',
    'Appare solo ora. Custodiscila come una password e non metterla mai nello script di una pagina pubblica.',
  ],
  keyReplaced: [
    'It replaces your previous key, which stops working within seconds.',
    'Sostituisce quella precedente, che smette di funzionare entro pochi secondi.',
  ],
  keyLabel: ['Key', 'Chiave'],
  tryIt: ['Try it', 'Provala'],
  next: ['Next steps', 'Prossimi passi'],
  quickStart: ['Quick start', 'Primi passi'],
  attributionTitle: ['Show the source', 'Indica la fonte'],
  attribution: [
    'On the Open and Developer plans show this text next to the data, with the link:',
    'Con i piani Open e Developer mostra questo testo accanto ai dati, con il link:',
  ],
  attributionWidget: [
    'Ready-made: price cards and attribution to embed',
    'Pronti all’uso: schede dei prezzi e attribuzione da incorporare',
  ],
  attributionApi: [
    'API responses include the text for their sources in the field',
    'Le risposte dell’API contengono il testo delle loro fonti nel campo',
  ],
})
