using Transfer.Buffers;
using Transfer.Integrity;
using Transfer.Wire;

namespace Transfer.Download;

/// <summary>Computes the checksum of an object whose ranges arrive in any order, and compares it with what the store holds.</summary>
/// <remarks>
/// <para>
/// A CRC is combined from the ranges' (<see cref="Begin"/>), as soon as all before them are there: what is kept is bounded by what is under way. Anything else
/// is made of the bytes in the object's order (<see cref="Append"/>): whoever owns them, a reader or a file, gives them when <see cref="IsSettled"/>.
/// </para>
/// <para>
/// Until the store has told which it is, ranges are computed with all CRCs, cut in pieces, and kept; and who reads in order keeps what it has read.
/// Safe for any number of threads, but for <see cref="Append"/>, whose callers take turns.
/// </para>
/// </remarks>
internal sealed class ContentVerifier : IDisposable
{
    private readonly Lock _gate = new();
    private readonly ObjectAddress _address;
    private readonly AsyncSignal _changed = new();
    private VerificationWay _way;
    private Dictionary<long, RangeChecksum>? _waiting; // a small object's one range never waits
    private StoredChecksum? _expected;
    private ContentDigest? _digest;
    private string _reason = "verification was turned off";
    private long _front;
    private bool _disposed;

    public ContentVerifier(ObjectAddress address, bool enabled)
    {
        _address = address;
        _way = enabled ? VerificationWay.Open : VerificationWay.Nothing;
    }

    /// <summary>CRCs that somebody else wants of every range.</summary>
    public CrcSet.Kinds AlsoWanted { get; init; }

    /// <summary>How the checksum is made.</summary>
    public VerificationWay Way => Volatile.Read(ref _way);

    /// <summary>Whether it is known how the checksum is made, or that none is.</summary>
    public bool IsSettled => Way != VerificationWay.Open;

    /// <summary>How many bytes from the object's first are there without a gap, once it is settled that they are wanted in order.</summary>
    public long Front => Volatile.Read(ref _front);

    /// <summary>The parts that the checksum is made of, where they are not known for certain.</summary>
    public PartLayout? Guess { get; private set; }

    /// <summary>Begins a range of the object.</summary>
    public RangeChecksum Begin(long offset) => new(this, offset);

    /// <summary>Tells what the store holds.</summary>
    /// <param name="expected">The checksum.</param>
    /// <param name="layout">The parts whose checksums it is made of, where it is composite.</param>
    public void Expect(StoredChecksum expected, PartLayout? layout = null)
        => Settle(VerificationWay.To(expected.Algorithm, layout?.LengthsBytes), expected, layout, string.Empty);

    /// <summary>Tells why there is nothing to compare.</summary>
    public void GiveUp(string reason) => Settle(VerificationWay.Nothing, null, null, reason);

    /// <summary>A range is there.</summary>
    public void Add(RangeChecksum range)
    {
        lock (_gate)
        {
            if (_way == VerificationWay.Nothing)
            {
                return;
            }

            if (!IsSettled || range.Offset != _front)
            {
                (_waiting ??= []).Add(range.Offset, range);
                return;
            }

            Take(range);
            TakeWaiting();
        }

        _changed.Set();
    }

    /// <summary>Takes in the object's next bytes, where they are wanted in order. Without effect otherwise.</summary>
    public void Append(ReadOnlySpan<byte> data)
    {
        lock (_gate)
        {
            if (_way.IsInOrder && !_disposed)
            {
                _digest!.Append(data);
            }
        }
    }

    /// <summary>Waits until it is worth looking again at <see cref="IsSettled"/> and <see cref="Front"/>. For one caller.</summary>
    public ValueTask WaitAsync(CancellationToken cancellationToken) => _changed.WaitAsync(cancellationToken);

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

            string? actual = _digest!.Length == length ? _digest.ToBase64() : null;
            if (actual is null)
            {
                return ChecksumVerdict.Unverified("the computed checksum does not cover all bytes", _expected.Algorithm, _expected.Value);
            }

            if (actual != _expected.Value)
            {
                throw Mismatch(_address, _expected, actual);
            }

            return ChecksumVerdict.Verified(_expected.Algorithm, actual);
        }
    }

    /// <summary>Makes the failure of a download whose content does not match.</summary>
    public static ChecksumMismatchException Mismatch(ObjectAddress address, StoredChecksum expected, string actual, string note = "")
    {
        string name = expected.IsComposite ? $"composite {expected.Algorithm.Name()}" : expected.Algorithm.Name();
        return new ChecksumMismatchException($"{address}: the content does not match its checksum. Its {name} is {actual}, but the store holds {expected.Value}.{note}")
        {
            Bucket = address.Bucket,
            Key = address.Key,
            Algorithm = expected.Algorithm,
            Expected = expected.Value,
            Actual = actual,
        };
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _disposed = true;
            _digest?.Dispose();
        }
    }

    private void Settle(VerificationWay way, StoredChecksum? expected, PartLayout? layout, string reason)
    {
        lock (_gate)
        {
            if (IsSettled || _disposed)
            {
                return;
            }

            _expected = expected;
            _digest = expected is null ? null : new ContentDigest(expected.Algorithm, layout?.LengthsBytes);
            _reason = reason;
            Guess = layout is { IsGuess: true } ? layout : null;
            Volatile.Write(ref _way, way);
            if (expected is null)
            {
                _waiting = null;
            }

            TakeWaiting();
        }

        _changed.Set();
    }

    private void TakeWaiting()
    {
        while (_waiting is not null && _waiting.Remove(_front, out RangeChecksum? next))
        {
            Take(next);
        }
    }

    private void Take(RangeChecksum range)
    {
        if (!_way.IsInOrder && !_disposed)
        {
            foreach (CrcSet piece in range.Cut)
            {
                _digest!.Append(piece);
            }

            _digest!.Append(range.Rest);
        }

        Volatile.Write(ref _front, _front + range.Length);
    }
}
