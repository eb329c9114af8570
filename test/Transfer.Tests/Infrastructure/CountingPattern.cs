namespace Transfer.S3.Tests.Infrastructure;

/// <summary>
/// Generates content of any length without storing it. A block of noise is repeated, and its length is a prime number, so that no chunk
/// equals its neighbors. Filling and comparing work in bulk, which is also fast in Debug builds.
/// </summary>
internal sealed class CountingPattern
{
    private static readonly byte[] Block = Sample.Bytes(65_521);

    public long Position { get; private set; }

    /// <summary>Fills a span with the bytes that belong at offset <paramref name="at"/>.</summary>
    public static void Fill(Span<byte> bytes, long at)
    {
        while (!bytes.IsEmpty)
        {
            ReadOnlySpan<byte> next = NextPiece(at, bytes.Length);
            next.CopyTo(bytes);
            bytes = bytes[next.Length..];
            at += next.Length;
        }
    }

    /// <summary>Fails the test if these are not the next bytes of the pattern.</summary>
    public void Check(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            ReadOnlySpan<byte> next = NextPiece(Position, bytes.Length);
            if (!bytes[..next.Length].SequenceEqual(next))
            {
                Assert.Fail($"The bytes in {Position}-{Position + next.Length - 1} don't match the pattern.");
            }

            bytes = bytes[next.Length..];
            Position += next.Length;
        }
    }

    private static ReadOnlySpan<byte> NextPiece(long at, int most)
    {
        int start = (int)(at % Block.Length);
        return Block.AsSpan(start, Math.Min(most, Block.Length - start));
    }
}
