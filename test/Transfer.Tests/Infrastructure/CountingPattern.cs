namespace Transfer.Tests.Infrastructure;

/// <summary>
/// Content of any length that is never kept: a block of noise whose length is a prime, again and again, so that no chunk looks like
/// the one before or behind it. Filled and compared in bulk, which is quick in Debug too.
/// </summary>
internal sealed class CountingPattern
{
    private static readonly byte[] Block = Sample.Bytes(65_521);

    public long Position { get; private set; }

    /// <summary>Fills in the bytes that belong at <paramref name="at"/>.</summary>
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

    /// <summary>Fails where these are not the bytes that come next.</summary>
    public void Check(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            ReadOnlySpan<byte> next = NextPiece(Position, bytes.Length);
            if (!bytes[..next.Length].SequenceEqual(next))
            {
                Assert.Fail($"The bytes in {Position}-{Position + next.Length - 1} are not those that belong there.");
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
