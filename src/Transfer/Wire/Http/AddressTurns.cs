using System.Net;

namespace Transfer.Wire.Http;

/// <summary>Whose turn it is among a host's addresses: those that answered before those that did not, and of them the one that waits longest.</summary>
internal sealed class AddressTurns(TimeProvider time)
{
    /// <summary>How long an address that did not answer is asked last.</summary>
    internal static readonly TimeSpan Memory = TimeSpan.FromSeconds(30);

    // Names have ever new addresses: what is known of them is only worth so much memory.
    private const int MaxKnown = 1024;

    private readonly Lock _gate = new();
    private readonly Dictionary<IPEndPoint, Turn> _known = [];
    private long _turns;

    /// <summary>Takes the address whose turn it is out of those that were not tried yet.</summary>
    public IPEndPoint Take(List<IPAddress> untried, int port)
    {
        lock (_gate)
        {
            int best = 0;
            (bool, long) bestRank = Rank(untried[0], port);
            for (int i = 1; i < untried.Count; i++)
            {
                (bool, long) rank = Rank(untried[i], port);
                if (rank.CompareTo(bestRank) < 0)
                {
                    (best, bestRank) = (i, rank);
                }
            }

            IPEndPoint address = new(untried[best], port);
            untried.RemoveAt(best);
            if (_known.Count >= MaxKnown)
            {
                _known.Clear();
            }

            _known[address] = _known.GetValueOrDefault(address) with { Last = ++_turns };
            return address;
        }
    }

    public void Answered(IPEndPoint address) => Note(address, null);

    public void Failed(IPEndPoint address) => Note(address, time.GetTimestamp());

    private void Note(IPEndPoint address, long? failedAt)
    {
        lock (_gate)
        {
            _known[address] = _known.GetValueOrDefault(address) with { FailedAt = failedAt };
        }
    }

    private (bool FailedLately, long Last) Rank(IPAddress address, int port)
    {
        Turn turn = _known.GetValueOrDefault(new IPEndPoint(address, port));
        return (turn.FailedAt is { } at && time.GetElapsedTime(at) < Memory, turn.Last);
    }

    private readonly record struct Turn(long Last, long? FailedAt);
}
