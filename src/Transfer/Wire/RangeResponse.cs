namespace Transfer.Wire;

/// <summary>The answer to a ranged GET: its headers, and its body while it arrives.</summary>
internal sealed class RangeResponse(RangeAnswer answer, ObjectInfo info, Stream body, IDisposable response) : IDisposable
{
    /// <summary>The object as the headers describe it; its length is that of the whole object.</summary>
    public ObjectInfo Info { get; } = info;

    /// <summary>Bytes that the body is to bring.</summary>
    public long Length { get; } = answer.Length;

    public Stream Body { get; } = body;

    /// <summary>The same answer, whose end is told: with the bytes that it brought, and with what ended it before its end.</summary>
    public RangeResponse Observe(Action<long, Exception?> ended)
    {
        ObservedBody observed = new(Body, Length, response, ended);
        return new RangeResponse(answer, Info, observed, observed);
    }

    public void Dispose()
    {
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
