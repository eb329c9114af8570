using Transfer.Integrity;

namespace Transfer.Download;

/// <summary>
/// What a <see cref="ContentVerifier"/> has to know of one range: the CRCs of its bytes, cut where the end of a stored part may be. Bytes are appended in
/// order as they come, from the store or from a file that has them already; a range counts from <see cref="Complete"/> on. For one caller at a time.
/// </summary>
internal sealed class RangeChecksum(ContentVerifier verifier, long offset)
{
    /// <summary>Stored parts are of whole MiB but for rare ones.</summary>
    public const int CutBytes = 1024 * 1024;

    private CrcSet _rest = new(verifier.Way.Kinds | verifier.AlsoWanted);
    private List<CrcSet>? _cut;

    /// <summary>Where the range begins.</summary>
    public long Offset => offset;

    /// <summary>Bytes appended so far.</summary>
    public long Length { get; private set; }

    /// <summary>The CRCs of all of it.</summary>
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

    /// <summary>The pieces up to the last cut.</summary>
    public IReadOnlyList<CrcSet> Cut => _cut ?? [];

    /// <summary>The piece behind it.</summary>
    public CrcSet Rest => _rest;

    public void Append(ReadOnlySpan<byte> data)
    {
        VerificationWay way = verifier.Way;
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

    /// <summary>All of the range has been appended, and every byte of it is where it is to go.</summary>
    public void Complete() => verifier.Add(this);

    // How far it is to the next cut from where the newest bytes begin.
    private int Room(int newest) => CutBytes - (int)((offset + Length - newest) % CutBytes);
}
