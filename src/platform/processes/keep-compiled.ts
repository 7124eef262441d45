/**
 * Loaded before a program: compiled code is cached for the next start, which then takes half the time. If the folder is not
 * writable, every start is a cold one.
 */
import { enableCompileCache } from 'node:module'
import path from 'node:path'

enableCompileCache(path.join(import.meta.dirname, '../../../node_modules/.cache/compiled'))
