using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace Transfer.S3.Wire.Http;

/// <summary>
/// A connection that accepts little more than the network takes, as long as it is slow. While it is fast, it sends several pieces of a body at once. It wakes the reader of
/// a large body only for as much as is worth it (<see cref="ReceiveMark"/>).
/// </summary>
/// <remarks>
/// By default, the system accepts megabytes at once. On a slow link, what a body has sent then isn't what has left this machine, and such bytes can't be taken back
/// either. A fast connection sends them in milliseconds, and a limit would only cost it wake-ups. So the limit is there from the beginning, and while the rate is low.
/// </remarks>
internal sealed class PromptStream : NetworkStream, IReceiveOption
{
    /// <summary>The maximum number of bytes that a slow socket holds and can't send yet.</summary>
    internal const int MostUnsentBytes = 128 << 10;

    /// <summary>The number of bytes after which the rate is looked at.</summary>
    internal const int WindowBytes = 512 << 10;

    /// <summary>The maximum number of pieces of a body that are sent at once. Each call of the system costs as much as a copy of some of them.</summary>
    private const int MostPieces = 8;

    /// <summary>The rates from which on the limit isn't needed, and below which it is needed again.</summary>
    private const double FastBytesPerSecond = 8 << 20;
    private const double SlowBytesPerSecond = 2 << 20;

    /// <summary>The option without a limit of its own: the one of the system applies.</summary>
    private const int Unlimited = 0;

    // TCP_NOTSENT_LOWAT is 25 in linux/tcp.h, and 0x201 in netinet/tcp.h of Darwin.
    private static readonly int? Option = OperatingSystem.IsLinux() ? 25 : OperatingSystem.IsMacOS() ? 0x201 : null;

    // Elsewhere, the mark isn't tested. A reader is woken for each byte there.
    private static readonly bool CanMark = OperatingSystem.IsLinux();

    private readonly TimeProvider _time;
    private readonly ReceiveMark _mark;
    private readonly List<ArraySegment<byte>> _waiting = new(MostPieces);
    private readonly bool _canLimit;
    private long _since;
    private long _sent;

    /// <param name="socket">The socket. It is disposed with the stream.</param>
    /// <param name="time">The clock.</param>
    public PromptStream(Socket socket, TimeProvider time)
        : base(socket, ownsSocket: true)
    {
        _time = time;
        _mark = new ReceiveMark(this, time);
        _since = time.GetTimestamp();
        _canLimit = Set(MostUnsentBytes);
        IsLimited = _canLimit;
    }

    /// <summary>Gets a value that indicates whether the socket accepts little more than it can send.</summary>
    internal bool IsLimited { get; private set; }

    /// <summary>Gets or sets the number of received bytes that can be held between this stream and the reader of a body, for example by TLS.</summary>
    public int HeldBytes
    {
        get => _mark.HeldBytes;
        set => _mark.HeldBytes = value;
    }

    int IReceiveOption.BufferBytes
    {
        get
        {
            try
            {
                return Socket.ReceiveBufferSize;
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                return 0; // the connection has ended
            }
        }
    }

    bool IReceiveOption.TrySetMark(int bytes)
    {
        try
        {
            Socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReceiveLowWater, bytes);
            return true;
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            return false; // the connection has ended
        }
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        BodyReceiving? body = CanMark ? BodyReceiving.Current : null;
        _mark.Begin(body);
        ValueTask<int> read = base.ReadAsync(buffer, cancellationToken);
        if (body is not null && !read.IsCompleted)
        {
            _mark.Wait(body);
        }

        return read;
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        _sent += buffer.Length;
        if (_sent >= WindowBytes && _canLimit)
        {
            Look();
        }

        if (!MemoryMarshal.TryGetArray(buffer, out ArraySegment<byte> piece))
        {
            return _waiting.Count == 0 ? base.WriteAsync(buffer, cancellationToken) : SendThenWriteAsync(buffer, cancellationToken);
        }

        if (!IsLimited && _waiting.Count < MostPieces - 1 && BodySending.Current is { } body && body.CanWait(piece))
        {
            _waiting.Add(piece);
            return ValueTask.CompletedTask;
        }

        if (_waiting.Count == 0)
        {
            return base.WriteAsync(buffer, cancellationToken);
        }

        _waiting.Add(piece);
        return SendWaitingAsync();
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _mark.Dispose();
        }

        base.Dispose(disposing);
    }

    private async ValueTask SendThenWriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken)
    {
        await SendWaitingAsync().ConfigureAwait(false);
        await base.WriteAsync(buffer, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Sends all pieces that wait. The HTTP client disposes a connection whose request is canceled, which ends this.</summary>
    private async ValueTask SendWaitingAsync()
    {
        try
        {
            await Socket.SendAsync(_waiting, SocketFlags.None).ConfigureAwait(false);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            throw new IOException(e.Message, e); // as other writes
        }
        finally
        {
            _waiting.Clear();
        }
    }

    /// <summary>Measures the rate. The time between requests counts, so it can be too low, but then the next window shows it.</summary>
    private void Look()
    {
        long now = _time.GetTimestamp();
        double rate = _sent / Math.Max(_time.GetElapsedTime(_since, now).TotalSeconds, 0.001);
        (_since, _sent) = (now, 0);
        if (IsLimited ? rate >= FastBytesPerSecond : rate < SlowBytesPerSecond)
        {
            IsLimited = Set(IsLimited ? Unlimited : MostUnsentBytes) ? !IsLimited : IsLimited;
        }
    }

    private bool Set(int bytes)
    {
        if (Option is not { } name)
        {
            return false;
        }

        try
        {
            Socket.SetRawSocketOption((int)SocketOptionLevel.Tcp, name, BitConverter.GetBytes(bytes));
            return true;
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            return false; // an old kernel, or the connection has ended
        }
    }
}
