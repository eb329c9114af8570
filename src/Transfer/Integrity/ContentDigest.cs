namespace Transfer.Integrity;

/// <summary>
/// The checksum of an object's content, taken in from its first byte to its last: that of all bytes, or a composite one, which is made of the checksums of the
/// parts in which the object was stored (Amazon S3 User Guide, "Checking object integrity").
/// </summary>
internal sealed class ContentDigest : IDisposable
{
    private readonly ChecksumAlgorithm _algorithm;
    private readonly IReadOnlyList<long>? _partLengths;
    private readonly PartChecksum? _ofParts;
    private PartChecksum _current;
    private long _partEnd = long.MaxValue;
    private int _parts;
    private bool _isIncomplete;

    /// <param name="algorithm">One that S3 knows.</param>
    /// <param name="partLengths">How long each part is, for a composite checksum; null for that of all bytes.</param>
    public ContentDigest(ChecksumAlgorithm algorithm, IReadOnlyList<long>? partLengths = null)
    {
        _algorithm = algorithm;
        _partLengths = partLengths;
        _current = new PartChecksum(algorithm);
        if (partLengths is not null)
        {
            _ofParts = new PartChecksum(algorithm);
            _partEnd = 0;
            _partEnd = NextEnd();
            EndParts();
        }
    }

    /// <summary>Bytes taken in so far.</summary>
    public long Length { get; private set; }

    public void Append(ReadOnlySpan<byte> data)
    {
        while (!data.IsEmpty)
        {
            ReadOnlySpan<byte> step = data[..(int)Math.Min(data.Length, _partEnd - Length)];
            _current.Append(step);
            Advance(step.Length);
            data = data[step.Length..];
        }
    }

    /// <summary>Takes in a stretch of bytes by its CRCs. It must not reach over the end of a part.</summary>
    public void Append(in CrcSet block)
    {
        _current.Append(block);
        Advance(block.Length);
    }

    /// <summary>The value as S3 states it, with <c>-N</c> behind it where it is made of N parts'; null where it was not computed over every byte.</summary>
    public string? ToBase64() => _isIncomplete ? null : _ofParts is null ? _current.ToBase64() : CompositeChecksum.Text(_ofParts.ToBase64()!, _parts);

    public void Dispose()
    {
        _current.Dispose();
        _ofParts?.Dispose();
    }

    private void Advance(long count)
    {
        Length += count;
        EndParts();
    }

    private void EndParts()
    {
        while (Length == _partEnd)
        {
            string? sum = _current.ToBase64();
            _current.Dispose();
            _current = new PartChecksum(_algorithm);
            _isIncomplete |= sum is null;
            _ofParts!.Append(Convert.FromBase64String(sum ?? string.Empty));
            _parts++;
            _partEnd = NextEnd();
        }
    }

    // Behind the last part there is nothing, and if there were it would end none.
    private long NextEnd() => _parts < _partLengths!.Count ? _partEnd + _partLengths[_parts] : long.MaxValue;
}
