import { queryOptions } from '@tanstack/react-query'
import { read } from '../../app/client.ts'
import type { Announcement } from '@candor/core/protocol/wire/console/announcements.ts'

export const announcementsQuery = queryOptions({
  queryKey: ['announcements'],
  queryFn: async () => (await read<{ readonly announcements: readonly Announcement[] }>('/announcements')).announcements,
})
