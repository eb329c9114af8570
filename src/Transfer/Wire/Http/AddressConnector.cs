using System.Net;
using System.Net.Sockets;

namespace Transfer.Wire.Http;

/// <summary>
/// Opens connections to a host's addresses in turn: a store has many machines behind one name, and each sends only so fast. An address that does not
/// answer at once gets competition from the next one (RFC 8305, "Happy Eyeballs"), and one that failed lately is asked last.
/// </summary>
/// <param name="resolve">Finds a name's addresses.</param>
/// <param name="connect">Opens a connection to one of them.</param>
/// <param name="time">The clock for head starts and for what is lately.</param>
internal sealed class AddressConnector(
    Func<string, CancellationToken, Task<IPAddress[]>> resolve, Func<IPEndPoint, CancellationToken, ValueTask<Stream>> connect, TimeProvider time)
{
    /// <summary>How long an address is alone before the next one is tried beside it (RFC 8305, section 5).</summary>
    internal static readonly TimeSpan HeadStart = TimeSpan.FromMilliseconds(250);

    private readonly AddressTurns _turns = new(time);

    /// <summary>A connector for the machine's own resolver and sockets.</summary>
    public static AddressConnector Create(TimeProvider time) => new(Dns.GetHostAddressesAsync, OpenAsync, time);

    /// <exception cref="SocketException">The only address does not answer, or the name has none.</exception>
    /// <exception cref="IOException">None of several addresses answers.</exception>
    public async ValueTask<Stream> ConnectAsync(DnsEndPoint host, CancellationToken cancellationToken)
    {
        List<IPAddress> untried = IPAddress.TryParse(host.Host, out IPAddress? literal)
            ? [literal]
            : [.. await resolve(host.Host, cancellationToken).ConfigureAwait(false)];
        return untried.Count switch
        {
            0 => throw new SocketException((int)SocketError.HostNotFound),
            1 => await connect(new IPEndPoint(untried[0], host.Port), cancellationToken).ConfigureAwait(false),
            _ => await RaceAsync(host, untried, cancellationToken).ConfigureAwait(false),
        };
    }

    /// <summary>The stream of a connection that was made just now.</summary>
    /// <exception cref="SocketException">The other end has closed it already.</exception>
    internal static NetworkStream Connected(Socket socket)
    {
        // A connection that was reset has no other end. SocketsHttpHandler asks for it too, but lets the socket's exception through as it is,
        // where it makes of one that is thrown here what it is: a connection that could not be made, and on which nothing was sent.
        _ = socket.RemoteEndPoint;
        return new NetworkStream(socket, ownsSocket: true);
    }

    private async ValueTask<Stream> RaceAsync(DnsEndPoint host, List<IPAddress> untried, CancellationToken cancellationToken)
    {
        using CancellationTokenSource ended = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        List<Attempt> underWay = []; // in the order in which they were started
        SocketException? failure = null;
        int addresses = untried.Count;
        IPEndPoint? latest = null;
        try
        {
            while (untried.Count > 0 || underWay.Count > 0)
            {
                Task? headStart = null;
                if (untried.Count > 0)
                {
                    latest = _turns.Take(untried, host.Port, latest?.AddressFamily);
                    headStart = untried.Count > 0 ? Task.Delay(HeadStart, time, ended.Token) : null;
                    underWay.Add(new Attempt(latest, connect(latest, ended.Token).AsTask()));
                }

                Task[] attempts = [.. underWay.Select(attempt => attempt.Connection)];
                await Task.WhenAny(headStart is null ? attempts : [.. attempts, headStart]).ConfigureAwait(false);
                cancellationToken.ThrowIfCancellationRequested();
                int first = underWay.FindIndex(attempt => attempt.Connection.IsCompleted);
                if (first < 0)
                {
                    continue; // the head start is over
                }

                Attempt done = underWay[first];
                try
                {
                    Stream connection = await done.Connection.ConfigureAwait(false);
                    underWay.RemoveAt(first);
                    _turns.Answered(done.Address);
                    underWay.GetRange(0, first).ForEach(overtaken => _turns.Failed(overtaken.Address));
                    return connection;
                }
                catch (SocketException e)
                {
                    underWay.RemoveAt(first);
                    _turns.Failed(done.Address);
                    failure = e;
                }
            }
        }
        finally
        {
            await ended.CancelAsync().ConfigureAwait(false);
            underWay.ForEach(attempt => LateResults.Abandon(attempt.Connection));
        }

        throw new IOException($"none of the {addresses} addresses of {host.Host} accepted a connection; the last error: {failure?.Message}", failure);
    }

    private static async ValueTask<Stream> OpenAsync(IPEndPoint address, CancellationToken cancellationToken)
    {
        Socket socket = new(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(address, cancellationToken).ConfigureAwait(false);
            return Connected(socket);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private readonly record struct Attempt(IPEndPoint Address, Task<Stream> Connection);
}
