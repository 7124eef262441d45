/** Texts of the pages opened by the links in alert mails. */
import { messages } from './language.ts'

export const alertLinkTexts = messages({
  confirm: [
    {
      title: 'Alerts by e-mail',
      ask: 'Confirm that alerts of this key may be sent to the address at which you received the link.',
      button: 'Confirm the address',
      done: 'The address is confirmed. Alerts of the key are sent to it from now on.',
    },
    {
      title: 'Avvisi per e-mail',
      ask: 'Conferma che gli avvisi di questa chiave possono essere inviati all’indirizzo al quale hai ricevuto il link.',
      button: 'Conferma l’indirizzo',
      done: 'L’indirizzo è confermato. D’ora in poi gli avvisi della chiave vi saranno inviati.',
    },
  ],
  stop: [
    {
      title: 'Stop an alert',
      ask: 'The alert will be suspended, and no more mail is sent about it.',
      button: 'Stop the alert',
      done: 'The alert is suspended. No more mail is sent about it.',
    },
    {
      title: 'Ferma un avviso',
      ask: 'L’avviso sarà sospeso e non invierà più e-mail.',
      button: 'Ferma l’avviso',
      done: 'L’avviso è sospeso. Non invierà più e-mail.',
    },
  ],
  notGood: [
    'This link has expired, or is not complete. The page of your key can send another.',
    'Questo link è scaduto o incompleto. La pagina della tua chiave può inviarne un altro.',
  ],
  usage: ['Your key and its alerts', 'La tua chiave e i suoi avvisi'],
})
