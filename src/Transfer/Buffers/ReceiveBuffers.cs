using System.Diagnostics.CodeAnalysis;

namespace Transfer.S3.Buffers;

/// <summary>
/// A fixed number of arrays that are used again: for many TLS records with one system call, and for documents such as pages of listings. No memory budget pays for
/// them, so there are only as many as the processors can use. A connection that gets no array receives one record at a time.
/// </summary>
/// <param name="length">The length of an array, in bytes.</param>
/// <param name="count">The number of arrays.</param>
internal sealed class ReceiveBuffers(int length, int count)
{
    private const int LeastCount = 8;
    private const int MostCount = 32;

    private readonly Lock _gate = new();

    // The array that was returned last is rented first, because it may still be in the processor's cache.
    private readonly Stack<byte[]> _spare = new(count);
    private int _rented;

    /// <summary>Gets the arrays of this process: at most 8 MiB.</summary>
    public static ReceiveBuffers Shared { get; } = new((int)(256 * Sizes.KiB), Math.Clamp(4 * Environment.ProcessorCount, LeastCount, MostCount));

    /// <summary>Gets the arrays of this process for documents: at most 8 MiB. They are shorter than large objects of the garbage collector, which are collected rarely.</summary>
    public static ReceiveBuffers Documents { get; } = new((int)(64 * Sizes.KiB), 128);

    /// <summary>Gets the length of an array, in bytes.</summary>
    public int Length => length;

    /// <summary>Gets the number of arrays that are rented.</summary>
    public int Rented => Volatile.Read(ref _rented);

    /// <summary>Rents an array. The caller must return it with <see cref="Return"/>.</summary>
    /// <returns><see langword="false"/> if all arrays are rented.</returns>
    public bool TryRent([NotNullWhen(true)] out byte[]? array)
    {
        lock (_gate)
        {
            if (_rented == count)
            {
                array = null;
                return false;
            }

            _rented++;
            if (_spare.TryPop(out array))
            {
                return true;
            }
        }

        array = GC.AllocateUninitializedArray<byte>(length);
        return true;
    }

    public void Return(byte[] array)
    {
        lock (_gate)
        {
            _rented--;
            _spare.Push(array);
        }
    }
}
