import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/growth/alerts.ts'
import { http } from '../../app/client.ts'

/** The routes of price alerts, loaded with their screen. */
export const alerts = bind(column, http)
export const alertsQuery = ['own', 'alerts'] as const
