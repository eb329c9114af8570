namespace Transfer.Wire;

/// <summary>The answer to a ranged GET: its headers, and its body while it arrives.</summary>
internal sealed class RangeResponse(RangeAnswer answer, ObjectInfo info, Stream body, IDisposable response) : IDisposable
{
    private Action<long, Exception?>? _ended;
    private long _received;

    /// <summary>The object as the headers describe it; its length is that of the whole object.</summary>
    public ObjectInfo Info { get; } = info;

    /// <summary>Bytes that the body is to bring.</summary>
    public long Length { get; } = answer.Length;

    public Stream Body { get; } = body;

    /// <summary>Has somebody told, once, how the answer ended: with the bytes that it brought, and with what ended it before its end.</summary>
    public void Observe(Action<long, Exception?> ended) => _ended = ended;

    /// <summary>So many bytes of the body were read; none at its end.</summary>
    public void Advance(int count)
    {
        if (_ended is null)
        {
            return;
        }

        _received += count;
        if (_received >= Length)
        {
            End(null);
        }
        else if (count == 0)
        {
            End(new EndOfStreamException($"the body ended after {_received} of {Length} bytes"));
        }
    }

    /// <summary>Nothing more of the body is read: it is all there, or this is why not. The first call counts.</summary>
    public void End(Exception? error) => Interlocked.Exchange(ref _ended, null)?.Invoke(_received, error);

    public void Dispose()
    {
        if (_ended is not null)
        {
            End(_received >= Length ? null : new OperationCanceledException("The response was not read to its end."));
        }

        try
        {
            response.Dispose();
        }
#pragma warning disable CA1031 // a broken connection may throw here too, and what it did to the body is known already
        catch (Exception)
#pragma warning restore CA1031
        {
            // Nothing is lost with it.
        }
    }
}
