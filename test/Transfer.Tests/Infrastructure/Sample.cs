namespace Transfer.Tests.Infrastructure;

/// <summary>Content that differs at every place, so that a byte out of order shows.</summary>
internal static class Sample
{
    public static byte[] Bytes(long length, int seed = 1)
    {
        byte[] bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }
}
