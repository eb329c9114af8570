namespace Transfer.S3.Integrity;

/// <summary>The CRCs of a block, for the algorithms that are needed. The CRCs of adjacent blocks can be combined.</summary>
internal struct CrcSet(CrcSet.Kinds kinds)
{
    [Flags]
    internal enum Kinds
    {
        None = 0,
        Crc64Nvme = 1,
        Crc32C = 2,
        Crc32 = 4,
        All = Crc64Nvme | Crc32C | Crc32,
    }

    private ulong _crc64Nvme;
    private ulong _crc32C;
    private ulong _crc32;

    /// <summary>Gets the CRCs that were computed over every byte.</summary>
    public Kinds Computed { get; private set; } = kinds;

    public long Length { get; private set; }

    /// <summary>Gets 32 bits of the CRC-64, which differ for different blocks of the same length except once in four billion times. The CRC-64 must be computed.</summary>
    public readonly uint Fingerprint => unchecked((uint)(_crc64Nvme ^ (_crc64Nvme >> 32)));

    public void Append(ReadOnlySpan<byte> data)
    {
        if ((Computed & Kinds.Crc64Nvme) != 0)
        {
            _crc64Nvme = Crc.Crc64Nvme.Append(_crc64Nvme, data);
        }

        if ((Computed & Kinds.Crc32C) != 0)
        {
            _crc32C = Crc.Crc32C.Append(_crc32C, data);
        }

        if ((Computed & Kinds.Crc32) != 0)
        {
            _crc32 = Crc.Crc32.Append(_crc32, data);
        }

        Length += data.Length;
    }

    /// <summary>Stops computing all other CRCs.</summary>
    public void Keep(Kinds kinds) => Computed &= kinds;

    /// <summary>Gets the CRCs of this block followed by <paramref name="next"/>.</summary>
    public readonly CrcSet Then(in CrcSet next)
    {
        CrcSet result = new(Computed & next.Computed) { Length = Length + next.Length };
        if ((result.Computed & Kinds.Crc64Nvme) != 0)
        {
            result._crc64Nvme = Crc.Crc64Nvme.Combine(_crc64Nvme, next._crc64Nvme, next.Length);
        }

        if ((result.Computed & Kinds.Crc32C) != 0)
        {
            result._crc32C = Crc.Crc32C.Combine(_crc32C, next._crc32C, next.Length);
        }

        if ((result.Computed & Kinds.Crc32) != 0)
        {
            result._crc32 = Crc.Crc32.Combine(_crc32, next._crc32, next.Length);
        }

        return result;
    }

    /// <summary>Returns whether the blocks have the same length and the same CRCs.</summary>
    public readonly bool IsSame(in CrcSet other)
        => Length == other.Length
            && Computed == other.Computed
            && _crc64Nvme == other._crc64Nvme
            && _crc32C == other._crc32C
            && _crc32 == other._crc32;

    /// <summary>Gets the checksum as S3 uses it; null if it wasn't computed.</summary>
    public readonly string? ToBase64(ChecksumAlgorithm algorithm) => (Computed & algorithm.Crc()) switch
    {
        Kinds.Crc64Nvme => Crc.Crc64Nvme.ToBase64(_crc64Nvme),
        Kinds.Crc32C => Crc.Crc32C.ToBase64(_crc32C),
        Kinds.Crc32 => Crc.Crc32.ToBase64(_crc32),
        _ => null,
    };

    /// <summary>Parses the result of <see cref="ToBase64"/> for a block of <paramref name="length"/> bytes.</summary>
    /// <returns>Null if it isn't a CRC of this algorithm.</returns>
    public static CrcSet? TryParse(ChecksumAlgorithm algorithm, string? text, long length) => algorithm.Crc() switch
    {
        Kinds.Crc64Nvme when Crc.Crc64Nvme.TryParseBase64(text, out ulong value) => new CrcSet(Kinds.Crc64Nvme) { Length = length, _crc64Nvme = value },
        Kinds.Crc32C when Crc.Crc32C.TryParseBase64(text, out ulong value) => new CrcSet(Kinds.Crc32C) { Length = length, _crc32C = value },
        Kinds.Crc32 when Crc.Crc32.TryParseBase64(text, out ulong value) => new CrcSet(Kinds.Crc32) { Length = length, _crc32 = value },
        _ => null,
    };

    /// <summary>Creates a block of which only the length is known.</summary>
    public static CrcSet Unknown(long length) => new(Kinds.None) { Length = length };
}
