using Transfer.S3.Buffers;
using Transfer.S3.Integrity;
using Transfer.S3.Wire;

namespace Transfer.S3.Verification;

/// <summary>Computes the checksum of an object whose ranges arrive in any order, and compares it with the one that the store holds.</summary>
/// <remarks>
/// <para>
/// A CRC is combined from the CRCs of the ranges (<see cref="Begin"/>) as soon as all earlier ranges are complete, so only ranges in progress are kept.
/// Other checksums are computed from the bytes in order (<see cref="Append"/>). The owner of the bytes, a reader or a file, passes them once
/// <see cref="IsSettled"/> is true.
/// </para>
/// <para>
/// Until the store has returned the algorithm, all CRCs of the ranges are computed, cut into pieces, and kept. An in-order reader keeps the data that it
/// has read. The methods are thread-safe, except that <see cref="Append"/> must not be called concurrently.
/// </para>
/// </remarks>
internal sealed class ContentVerifier : IDisposable
{
    private readonly Lock _gate = new();
    private readonly ObjectAddress _address;
    private readonly AsyncSignal _changed = new();
    private VerificationStrategy _way;
    private Dictionary<long, RangeChecksum>? _waiting; // the single range of a small object never waits
    private StoredChecksum? _expected;
    private ContentDigest? _digest;
    private string _reason = "verification was turned off";
    private long _front;
    private bool _disposed;

    public ContentVerifier(ObjectAddress address, bool enabled)
    {
        _address = address;
        _way = enabled ? VerificationStrategy.Open : VerificationStrategy.Nothing;
    }

    /// <summary>Gets the CRCs that are also computed of every range, for another use.</summary>
    public CrcSet.Kinds AlsoWanted { get; init; }

    /// <summary>Gets how the checksum is computed.</summary>
    public VerificationStrategy Way => Volatile.Read(ref _way);

    /// <summary>Gets a value that indicates whether it is known how the checksum is computed, or that none is.</summary>
    public bool IsSettled => Way != VerificationStrategy.Open;

    /// <summary>
    /// Gets the number of contiguous bytes that are complete from the beginning of the object. It is counted once the verifier is settled.
    /// </summary>
    public long Front => Volatile.Read(ref _front);

    /// <summary>Gets the parts of a composite checksum if their lengths are a guess; otherwise, null.</summary>
    public PartLayout? Guess { get; private set; }

    /// <summary>Begins a range of the object.</summary>
    public RangeChecksum Begin(long offset) => new(this, offset);

    /// <summary>Sets the checksum that the store holds.</summary>
    /// <param name="expected">The checksum.</param>
    /// <param name="layout">The parts of a composite checksum; otherwise, null.</param>
    public void Expect(StoredChecksum expected, PartLayout? layout = null)
        => Settle(VerificationStrategy.To(expected.Algorithm, layout?.LengthsBytes), expected, layout, string.Empty);

    /// <summary>Sets the reason why there is nothing to compare.</summary>
    public void GiveUp(string reason) => Settle(VerificationStrategy.Nothing, null, null, reason);

    /// <summary>Adds a range that is complete.</summary>
    public void Add(RangeChecksum range)
    {
        lock (_gate)
        {
            if (_way == VerificationStrategy.Nothing)
            {
                return;
            }

            if (!IsSettled || range.Offset != _front)
            {
                if (range.Offset >= _front)
                {
                    (_waiting ??= []).TryAdd(range.Offset, range); // a range that is read again has the same bytes
                }

                return;
            }

            Take(range);
            TakeWaiting();
        }

        _changed.Set();
    }

    /// <summary>Appends the next bytes of the object if the checksum is computed in order. Otherwise, the method does nothing.</summary>
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

    /// <summary>Waits until <see cref="IsSettled"/> or <see cref="Front"/> may have changed. Only one caller can wait at a time.</summary>
    public ValueTask WaitAsync(CancellationToken cancellationToken) => _changed.WaitAsync(cancellationToken);

    /// <summary>Compares the checksum of all <paramref name="length"/> bytes.</summary>
    /// <exception cref="ChecksumMismatchException">The content doesn't match the store's checksum.</exception>
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

    /// <summary>Creates the exception for a download whose content doesn't match.</summary>
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

    private void Settle(VerificationStrategy way, StoredChecksum? expected, PartLayout? layout, string reason)
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
