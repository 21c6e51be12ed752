import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/convert.ts'
import { http } from '../../app/client.ts'

/** The routes of conversions, loaded with their screen. */
export const convert = bind(column, http)
