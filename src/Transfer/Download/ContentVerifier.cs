using Transfer.Integrity;
using Transfer.Wire;

namespace Transfer.Download;

/// <summary>
/// Computes the checksum of an object from ranges that arrive in any order, and compares it with what the store holds.
/// </summary>
/// <remarks>
/// Until the store has said which algorithm it used, ranges are computed with all CRCs; from then on with that one. Ranges are
/// combined as soon as all before them are there, so what is kept is bounded by what is under way. Safe for any number of threads.
/// </remarks>
internal sealed class ContentVerifier(ObjectAddress address, bool enabled)
{
    private readonly Lock _gate = new();
    private Dictionary<long, CrcSet>? _waiting; // a small object's one range never waits
    private CrcSet _prefix = new(CrcSet.Kinds.All);
    private CrcSet.Kinds _wanted = enabled ? CrcSet.Kinds.All : CrcSet.Kinds.None;
    private StoredChecksum? _expected;
    private string _reason = enabled ? "the store told no checksum" : "verification was turned off";

    /// <summary>CRCs that somebody else wants of every range.</summary>
    public CrcSet.Kinds AlsoWanted { get; init; }

    /// <summary>Where a range's checksum begins.</summary>
    public CrcSet Begin() => new(_wanted | AlsoWanted);

    /// <summary>Tells what the store holds, or why that is not known.</summary>
    public void Expect(StoredChecksum? expected, string? reason = null)
    {
        if (!enabled)
        {
            return;
        }

        lock (_gate)
        {
            _expected = expected;
            _reason = reason ?? _reason;
            if (expected is { IsComposite: true })
            {
                _reason = $"the store holds a checksum of the parts' checksums ({expected.Algorithm.Name()}, {expected.Value}), not of the content";
                _expected = null;
            }
            else if (expected is not null && CrcSet.KindOf(expected.Algorithm) == CrcSet.Kinds.None)
            {
                _reason = $"the store's checksum is {expected.Algorithm.Name()}, which can't be computed from parts";
                _expected = null;
            }

            _wanted = _expected is null ? CrcSet.Kinds.None : CrcSet.KindOf(_expected.Algorithm);
        }
    }

    public void Add(long offset, in CrcSet range)
    {
        lock (_gate)
        {
            if (offset != _prefix.Length)
            {
                (_waiting ??= []).Add(offset, range);
                return;
            }

            _prefix = _prefix.Then(range);
            while (_waiting is not null && _waiting.Remove(_prefix.Length, out CrcSet next))
            {
                _prefix = _prefix.Then(next);
            }
        }
    }

    /// <summary>The verdict over all <paramref name="length"/> bytes.</summary>
    /// <exception cref="ChecksumMismatchException">The content is not what the store's checksum was made of.</exception>
    public ChecksumVerdict Finish(long length)
    {
        lock (_gate)
        {
            if (_expected is null)
            {
                return ChecksumVerdict.Unverified(_reason);
            }

            string? actual = _prefix.Length == length ? _prefix.ToBase64(_expected.Algorithm) : null;
            if (actual is null)
            {
                return ChecksumVerdict.Unverified("the checksum was not computed over every byte", _expected.Algorithm, _expected.Value);
            }

            if (actual != _expected.Value)
            {
                throw new ChecksumMismatchException(
                    $"{address}: the content does not match. Its {_expected.Algorithm.Name()} is {actual}, and the store holds {_expected.Value}.")
                {
                    Bucket = address.Bucket,
                    Key = address.Key,
                    Algorithm = _expected.Algorithm,
                    Expected = _expected.Value,
                    Actual = actual,
                };
            }

            return ChecksumVerdict.Verified(_expected.Algorithm, actual);
        }
    }
}
