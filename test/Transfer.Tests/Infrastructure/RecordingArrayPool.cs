using System.Buffers;
using System.Collections.Concurrent;

namespace Transfer.S3.Tests.Infrastructure;

/// <summary>
/// A pool that tracks rented arrays. It throws if an array is returned twice or was never rented, and remembers that in case the exception
/// is swallowed. Like those of a shared pool, its arrays are longer than requested and filled with noise.
/// </summary>
internal sealed class RecordingArrayPool : ArrayPool<byte>
{
    private const int Surplus = 7;
    private const byte Noise = 0xEE;
    private readonly ConcurrentDictionary<byte[], int> _out = new(ReferenceEqualityComparer.Instance);
    private readonly ConcurrentBag<byte[]> _spare = [];
    private int _rents;

    public int Outstanding => _out.Count;

    public int Rents => Volatile.Read(ref _rents);

    public ConcurrentQueue<string> Violations { get; } = [];

    public override byte[] Rent(int minimumLength)
    {
        Interlocked.Increment(ref _rents);
        if (!_spare.TryTake(out byte[]? array) || array.Length < minimumLength)
        {
            array = new byte[minimumLength + Surplus];
            array.AsSpan().Fill(Noise);
        }

        _out[array] = minimumLength;
        return array;
    }

    public override void Return(byte[] array, bool clearArray = false)
    {
        if (!_out.TryRemove(array, out _))
        {
            Violations.Enqueue(Environment.StackTrace);
            throw new InvalidOperationException("An array was returned that is not rented.");
        }

        _spare.Add(array);
    }
}
