import { SERVICE_NAME } from '../../contract/identity.ts'
import { html } from '../html.ts'
import { page } from '../page.ts'

/** `/`: what prices are today. */
export const homePage = page({
  path: '/',
  render: () => ({ title: SERVICE_NAME, section: 'home', main: html`` }),
})
