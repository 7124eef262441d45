/** Texts of the change log. */
import { messages } from './language.ts'

export const changeTexts = messages({
  en: {
    title: 'Change log',
    lead: 'What has come to the service and its interface, the latest first. Within /v1 fields and endpoints are only ever added.',
  },
  it: {
    title: 'Novità',
    lead: 'Che cosa si è aggiunto al servizio e alla sua interfaccia, a cominciare dalle novità più recenti. Entro /v1 campi ed endpoint si aggiungono soltanto. Le note sono in inglese.',
  },
})
