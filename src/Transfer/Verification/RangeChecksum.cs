using Transfer.S3.Integrity;

namespace Transfer.S3.Verification;

/// <summary>
/// The CRCs of one range for a <see cref="ContentVerifier"/>, cut where a stored part may end. Bytes are appended in order as they come from the
/// store, or from a file that already has them. The range counts only after <see cref="Complete"/>. The methods must not be called concurrently.
/// </summary>
internal sealed class RangeChecksum(ContentVerifier verifier, long offset)
{
    /// <summary>The distance between cuts. The lengths of nearly all stored parts are whole MiB.</summary>
    public const int CutBytes = 1024 * 1024;

    private CrcSet _rest = new(verifier.Way.Kinds | verifier.AlsoWanted);
    private List<CrcSet>? _cut;

    /// <summary>Gets the offset of the first byte of the range.</summary>
    public long Offset => offset;

    /// <summary>Gets the number of bytes that were appended.</summary>
    public long Length { get; private set; }

    /// <summary>Gets the CRCs of the whole range.</summary>
    public CrcSet Crc
    {
        get
        {
            CrcSet all = new(CrcSet.Kinds.All);
            foreach (CrcSet piece in Cut)
            {
                all = all.Then(piece);
            }

            return all.Then(_rest);
        }
    }

    /// <summary>Gets the CRCs of the pieces before the last cut.</summary>
    public IReadOnlyList<CrcSet> Cut => _cut ?? [];

    /// <summary>Gets the CRCs of the piece after the last cut.</summary>
    public CrcSet Rest => _rest;

    public void Append(ReadOnlySpan<byte> data)
    {
        VerificationStrategy way = verifier.Way;
        _rest.Keep(way.Kinds | verifier.AlsoWanted);
        Length += data.Length;
        if (way.IsCut)
        {
            for (int room = Room(data.Length); room <= data.Length; room = CutBytes)
            {
                _rest.Append(data[..room]);
                (_cut ??= []).Add(_rest);
                _rest = new CrcSet(way.Kinds | verifier.AlsoWanted);
                data = data[room..];
            }
        }

        _rest.Append(data);
    }

    /// <summary>Appends bytes by their CRCs. They must not cross the end of a stored part.</summary>
    public void Append(in CrcSet piece)
    {
        (_cut ??= []).Add(piece);
        Length += piece.Length;
    }

    /// <summary>Reports that all of the range was appended, and that all of its bytes are in their final place.</summary>
    public void Complete() => verifier.Add(this);

    // The distance from the beginning of the newest bytes to the next cut.
    private int Room(int newest) => CutBytes - (int)((offset + Length - newest) % CutBytes);
}
