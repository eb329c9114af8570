namespace Transfer.S3.Integrity;

/// <summary>
/// Computes the checksum of an object's content in order: that of the whole content, or the composite checksum of the parts in which the object was stored (Amazon
/// S3 User Guide, "Checking object integrity").
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

    /// <param name="algorithm">An algorithm that S3 supports.</param>
    /// <param name="partLengths">The lengths of the parts for a composite checksum; null for a checksum of the whole content.</param>
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

    /// <summary>Gets the number of bytes that were appended.</summary>
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

    /// <summary>Appends a block by its CRCs. It must not cross the end of a part.</summary>
    public void Append(in CrcSet block)
    {
        _current.Append(block);
        Advance(block.Length);
    }

    /// <summary>Gets the checksum as S3 returns it; null if it wasn't computed over every byte. A composite checksum of N parts ends in <c>-N</c>.</summary>
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

    // After the last part, there is no more data and no further end of a part.
    private long NextEnd() => _parts < _partLengths!.Count ? _partEnd + _partLengths[_parts] : long.MaxValue;
}
