import type { Receipt } from '../run/index.ts'

/** What a submitter is told, in the names of the host protocol. */
export function renderReceipt(packetId: string, receipt: Receipt): object {
  switch (receipt.kind) {
    case 'accepted':
    case 'duplicate':
      return {
        packet_id: packetId,
        receipt: receipt.kind,
        covered: receipt.covered,
        uncovered: receipt.uncovered,
        tickets: receipt.tickets,
        message:
          receipt.uncovered.length === 0
            ? 'Taken. Nothing more to do.'
            : 'Taken as far as it goes; what it left out is given out again. Nothing more to do.',
      }
    case 'stale':
      return {
        packet_id: packetId,
        receipt: receipt.kind,
        kept_at: receipt.keptAt,
        message: `Not taken: ${receipt.reason}. It is kept as evidence. Nothing more to do.`,
      }
    case 'bad_output':
      return {
        packet_id: packetId,
        receipt: receipt.kind,
        byte_offset: receipt.byteOffset,
        attempts_left: receipt.attemptsLeft,
        message:
          `Refused: ${receipt.problem}. ` +
          (receipt.attemptsLeft > 0
            ? `${receipt.repair} Then run the same submit command again.`
            : 'No attempt is left. Nothing more to do.'),
      }
  }
}
