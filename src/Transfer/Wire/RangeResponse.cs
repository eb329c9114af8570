namespace Transfer.S3.Wire;

/// <summary>The response to a ranged GET request: its headers, and its body while it arrives.</summary>
internal sealed class RangeResponse(ReceivedRange answer, ObjectHead head, Stream body, IDisposable response) : IDisposable
{
    private Action<long, Exception?>? _ended;
    private long _received;

    /// <summary>Gets what the headers tell about the object.</summary>
    public ObjectHead Head { get; } = head;

    /// <summary>Gets the properties of the object in the headers. The length is that of the whole object.</summary>
    public ObjectInfo Info => Head.Info;

    /// <summary>Gets the offset of the first byte of the body in the object.</summary>
    public long Offset { get; } = answer.Offset;

    /// <summary>Gets the number of bytes in the body.</summary>
    public long Length { get; } = answer.Length;

    /// <summary>Gets the body. That of an empty object isn't read, because s3rver promises a byte and sends none.</summary>
    public Stream Body { get; } = answer.Total == 0 ? Stream.Null : body;

    /// <summary>Sets a callback for the end of the response. It is called once, with the number of bytes and the error that ended the response early.</summary>
    public void Observe(Action<long, Exception?> ended) => _ended = ended;

    /// <summary>Counts bytes that were read from the body. A count of 0 means the end of the body.</summary>
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

    /// <summary>Ends the body, which is complete or has an error. Only the first call has an effect.</summary>
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
#pragma warning disable CA1031 // a closed connection can throw here too, and the error of the body is already known
        catch (Exception)
#pragma warning restore CA1031
        {
            // The error has no effect.
        }
    }
}
