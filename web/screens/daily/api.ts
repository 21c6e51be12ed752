import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/daily.ts'
import { http } from '../../app/client.ts'

/** The routes of days, loaded with their screen. */
export const daily = bind(column, http)
