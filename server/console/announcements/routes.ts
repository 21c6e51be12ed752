import type { Announcements } from '../../announcements/announcements.ts'
import { noContent } from '../../http/schema.ts'
import type { Staff } from '../../staff/staff.ts'
import { byNumber, proposed } from '../schema.ts'
import type { ConsoleScope } from '../scope.ts'
import * as schema from './schema.ts'

/** Announcements to everybody: one member publishes and withdraws them. */
export function announcementRoutes(scope: ConsoleScope, announcements: Announcements, staff: Staff): void {
  scope.read(
    '/announcements',
    { action: 'announcements.read', summary: 'Announcements in all languages, newest first', answer: schema.announcements },
    async () => ({ announcements: await announcements.all() }),
  )

  scope.change(
    'POST',
    '/announcements',
    { action: 'announcements.publish', summary: 'Publish an announcement', body: schema.announcement, answer: proposed },
    async (asked) => {
      staff.sessions.requireFresh(asked.session)
      return { id: await announcements.publish(asked.body, asked) }
    },
  )

  scope.change(
    'POST',
    '/announcements/:id/withdraw',
    { action: 'announcements.publish', summary: 'Show an announcement no more', params: byNumber, answer: noContent },
    (asked) => announcements.withdraw(asked.params.id, asked),
  )
}
