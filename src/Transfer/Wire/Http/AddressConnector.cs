using System.Net;
using System.Net.Sockets;
using Transfer.S3.Concurrency;

namespace Transfer.S3.Wire.Http;

/// <summary>
/// Opens connections to the addresses of a host in rotation, because a store has many machines behind one name, and each has limited bandwidth. If an address
/// doesn't respond quickly, the next one is tried concurrently (RFC 8305, "Happy Eyeballs"). Addresses that failed recently are tried last.
/// </summary>
/// <param name="resolve">Resolves a name to its addresses.</param>
/// <param name="connect">Opens a connection to an address.</param>
/// <param name="time">The time provider for head starts and for the age of failures.</param>
#pragma warning disable CA1001 // the source has neither a timer nor a wait handle, so there is nothing to dispose
internal sealed class AddressConnector(
    Func<string, CancellationToken, Task<IPAddress[]>> resolve, Func<IPEndPoint, CancellationToken, ValueTask<Stream>> connect, TimeProvider time) : ILink
#pragma warning restore CA1001
{
    /// <summary>The time after which the next address is tried concurrently (RFC 8305, section 5).</summary>
    internal static readonly TimeSpan HeadStart = TimeSpan.FromMilliseconds(250);

    private readonly AddressRotation _turns = new(time);
    private readonly Lock _gate = new();
    private CancellationTokenSource _redial = new();
    private IPEndPoint? _latest;

    /// <summary>Creates a connector that uses the resolver and the sockets of the system.</summary>
    public static AddressConnector Create(TimeProvider time) => new(Dns.GetHostAddressesAsync, OpenAsync, time);

    /// <exception cref="SocketException">Thrown when the only address doesn't accept a connection, or when the name has no address.</exception>
    /// <exception cref="IOException">Thrown when none of several addresses accepts a connection.</exception>
    public async ValueTask<Stream> ConnectAsync(DnsEndPoint host, CancellationToken cancellationToken)
    {
        while (true)
        {
            CancellationTokenSource redial = Volatile.Read(ref _redial);
            using CancellationTokenSource ended = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, redial.Token);
            try
            {
                return await ConnectOnceAsync(host, ended.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (redial.IsCancellationRequested || cancellationToken.IsCancellationRequested)
            {
                cancellationToken.ThrowIfCancellationRequested(); // the exception must contain the caller's token
            }
        }
    }

    public async Task<bool> ProbeAsync(CancellationToken cancellationToken)
    {
        if (Volatile.Read(ref _latest) is not { } address)
        {
            return true;
        }

        try
        {
            Stream connection = await connect(address, cancellationToken).ConfigureAwait(false);
            await connection.DisposeAsync().ConfigureAwait(false);
            return true;
        }
        catch (SocketException e)
        {
            return e.SocketErrorCode is SocketError.ConnectionRefused or SocketError.ConnectionReset;
        }
        catch (Exception e) when (e is OperationCanceledException or IOException)
        {
            return false;
        }
    }

    public void Redial()
    {
        CancellationTokenSource former;
        lock (_gate)
        {
            former = _redial;
            Volatile.Write(ref _redial, new CancellationTokenSource());
        }

        former.CancelAndIgnoreErrors(); // not disposed, because connections that begin now can still link to it
    }

    private async ValueTask<Stream> ConnectOnceAsync(DnsEndPoint host, CancellationToken cancellationToken)
    {
        List<IPAddress> untried = IPAddress.TryParse(host.Host, out IPAddress? literal)
            ? [literal]
            : [.. await resolve(host.Host, cancellationToken).ConfigureAwait(false)];
        return untried.Count switch
        {
            0 => throw new SocketException((int)SocketError.HostNotFound),
            1 => await ConnectAsync(new IPEndPoint(untried[0], host.Port), cancellationToken).ConfigureAwait(false),
            _ => await RaceAsync(host, untried, cancellationToken).ConfigureAwait(false),
        };
    }

    private async ValueTask<Stream> ConnectAsync(IPEndPoint address, CancellationToken cancellationToken)
    {
        Stream connection = await connect(address, cancellationToken).ConfigureAwait(false);
        Volatile.Write(ref _latest, address);
        return connection;
    }

    /// <summary>Creates the stream of a new connection.</summary>
    /// <exception cref="SocketException">Thrown when the other end has already closed the connection.</exception>
    internal static NetworkStream Connected(Socket socket)
    {
        // A connection that was reset has no remote endpoint. SocketsHttpHandler reads this property too, but doesn't convert its exception. It converts an
        // exception that is thrown here to a connection error, which shows that nothing was sent.
        _ = socket.RemoteEndPoint;
        return new PromptStream(socket, TimeProvider.System);
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
                    Volatile.Write(ref _latest, done.Address);
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
