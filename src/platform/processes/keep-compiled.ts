/**
 * Loaded before a task's program: what is compiled is kept for the next start, which then takes half the time. Where the folder cannot
 * be written, every start is as the first.
 */
import { enableCompileCache } from 'node:module'
import path from 'node:path'

enableCompileCache(path.join(import.meta.dirname, '../../../node_modules/.cache/compiled'))
