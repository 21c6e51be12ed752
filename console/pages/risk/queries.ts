/** Query of the risk page. */
import { queryOptions } from '@tanstack/react-query'
import { read } from '../../app/client.ts'
import { againMs } from '../../parts/watching.tsx'
import type { Risk } from '@candor/core/protocol/wire/console/risk.ts'

export const riskQuery = queryOptions({ queryKey: ['risk'], queryFn: () => read<Risk>('/risk'), refetchInterval: againMs })
