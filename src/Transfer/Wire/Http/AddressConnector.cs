using System.Net;
using System.Net.Sockets;

namespace Transfer.Wire.Http;

/// <summary>
/// Opens connections to a host's addresses in turn: a store has many machines behind one name, and each sends only so fast. An address that failed
/// lately is asked last, and where one does not answer the next is tried.
/// </summary>
/// <param name="resolve">Finds a name's addresses.</param>
/// <param name="connect">Opens a connection to one of them.</param>
/// <param name="time">The clock for time-outs and for what is lately.</param>
internal sealed class AddressConnector(
    Func<string, CancellationToken, Task<IPAddress[]>> resolve, Func<IPEndPoint, CancellationToken, ValueTask<Stream>> connect, TimeProvider time)
{
    /// <summary>How long one address may take, while there are others to try.</summary>
    internal static readonly TimeSpan AddressTimeout = TimeSpan.FromSeconds(3);

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
        if (untried.Count == 0)
        {
            throw new SocketException((int)SocketError.HostNotFound);
        }

        List<Exception> failures = [];
        while (untried.Count > 0)
        {
            IPEndPoint address = _turns.Take(untried, host.Port);
            try
            {
                Stream connection = await ConnectAsync(address, isLast: untried.Count == 0, cancellationToken).ConfigureAwait(false);
                _turns.Answered(address);
                return connection;
            }
            catch (Exception e) when (e is SocketException or OperationCanceledException && !cancellationToken.IsCancellationRequested)
            {
                _turns.Failed(address);
                failures.Add(e is SocketException ? e : new SocketException((int)SocketError.TimedOut));
            }
        }

        throw failures.Count == 1 ? failures[0]
            : new IOException($"none of the {failures.Count} addresses of {host.Host} answers, the last one: {failures[^1].Message}", failures[^1]);
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

    private async ValueTask<Stream> ConnectAsync(IPEndPoint address, bool isLast, CancellationToken cancellationToken)
    {
        if (isLast)
        {
            // The caller's own time-out is its end.
            return await connect(address, cancellationToken).ConfigureAwait(false);
        }

        using CancellationTokenSource timeout = new(AddressTimeout, time);
        using CancellationTokenSource either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        return await connect(address, either.Token).ConfigureAwait(false);
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
}
