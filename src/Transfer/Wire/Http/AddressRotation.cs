using System.Net;
using System.Net.Sockets;

namespace Transfer.S3.Wire.Http;

/// <summary>Selects the next address of a host: addresses that didn't fail recently first, and among them the least recently used one.</summary>
internal sealed class AddressRotation(TimeProvider time)
{
    /// <summary>The time for which an address that failed is tried last.</summary>
    internal static readonly TimeSpan Memory = TimeSpan.FromSeconds(30);

    // The addresses of names change, so the number of remembered addresses is limited.
    private const int MaxKnown = 1024;

    private readonly Lock _gate = new();
    private readonly Dictionary<IPEndPoint, Turn> _known = [];
    private long _turns;

    /// <summary>Removes the next address from the untried addresses.</summary>
    /// <param name="untried">The addresses that were not tried for this connection, at least one.</param>
    /// <param name="port">The port to connect to.</param>
    /// <param name="latest">
    /// The address family that was tried last for this connection. The other family goes first, so that a family without a route costs only one attempt.
    /// </param>
    public IPEndPoint Take(List<IPAddress> untried, int port, AddressFamily? latest)
    {
        lock (_gate)
        {
            int best = 0;
            (bool, bool, long) bestRank = Rank(untried[0], port, latest);
            for (int i = 1; i < untried.Count; i++)
            {
                (bool, bool, long) rank = Rank(untried[i], port, latest);
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

    private (bool FailedLately, bool IsOfLatestFamily, long Last) Rank(IPAddress address, int port, AddressFamily? latest)
    {
        Turn turn = _known.GetValueOrDefault(new IPEndPoint(address, port));
        return (turn.FailedAt is { } at && time.GetElapsedTime(at) < Memory, address.AddressFamily == latest, turn.Last);
    }

    private readonly record struct Turn(long Last, long? FailedAt);
}
