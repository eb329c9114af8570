using System.Text;

namespace Transfer.S3.Tests.Integrity;

/// <summary>Inputs whose CRCs are known from sources outside this project.</summary>
internal static class CrcSample
{
    public const string Empty = "empty";
    public const string Digits = "123456789";
    public const string Letter = "a";
    public const string Greeting = "hello world!";
    public const string Zeros32 = "32 x 00";
    public const string Ones32 = "32 x FF";
    public const string Ascending = "bytes 00..FF";
    public const string Zeros4096 = "4096 x 00";
    public const string Pattern = "1 MiB, byte i = i mod 251";

    public static byte[] Get(string name) => name switch
    {
        Empty => [],
        Zeros32 => new byte[32],
        Ones32 => [.. Enumerable.Repeat((byte)0xFF, 32)],
        Ascending => [.. Enumerable.Range(0, 256).Select(i => (byte)i)],
        Zeros4096 => new byte[4096],
        Pattern => [.. Enumerable.Range(0, 1 << 20).Select(i => (byte)(i % 251))],
        _ => Encoding.ASCII.GetBytes(name),
    };

    public static byte[] Random(int length, int seed)
    {
        byte[] data = new byte[length];
        new Random(seed).NextBytes(data);
        return data;
    }
}
