using System.Collections;

namespace Transfer.S3;

/// <summary>The bytes of all ranges that <see cref="ITransferClient.ReadRangesAsync"/> has read, in the order of the list that was passed to it.</summary>
/// <remarks>
/// Dispose the list to release the memory of all buffers. A buffer can also be disposed earlier, on its own. Memory that several buffers share is released with the
/// last of them.
/// </remarks>
public sealed class RangeBuffers : IReadOnlyList<RangeBuffer>, IDisposable
{
    private readonly RangeBuffer[] _buffers;

    internal RangeBuffers(RangeBuffer[] buffers, ObjectInfo? info)
    {
        _buffers = buffers;
        Info = info;
    }

    /// <summary>Gets the properties of the object from the response to the first request.</summary>
    /// <value><see langword="null"/> if no range was requested, so that no request was sent.</value>
    public ObjectInfo? Info { get; }

    /// <summary>Gets the number of buffers, which is the number of requested ranges.</summary>
    public int Count => _buffers.Length;

    /// <summary>Gets the buffer of a range.</summary>
    /// <param name="index">The index of the range in the list that was passed to the method.</param>
    /// <returns>The buffer.</returns>
    /// <exception cref="IndexOutOfRangeException">Thrown when <paramref name="index"/> is negative, or not less than <see cref="Count"/>.</exception>
    public RangeBuffer this[int index] => _buffers[index];

    /// <summary>Gets an enumerator of the buffers.</summary>
    /// <returns>The enumerator.</returns>
    public IEnumerator<RangeBuffer> GetEnumerator() => ((IEnumerable<RangeBuffer>)_buffers).GetEnumerator();

    /// <summary>Disposes all buffers. The method can be called several times.</summary>
    public void Dispose()
    {
        foreach (RangeBuffer buffer in _buffers)
        {
            buffer.Dispose();
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
