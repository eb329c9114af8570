using System.Text;
using Transfer.S3.Integrity;
using Transfer.S3.Server.Checksums;
using ObjectChecksum = Transfer.S3.Integrity.ObjectChecksum;

namespace Transfer.S3.Tests.Integrity;

public sealed class ChecksumTableTests
{
    /// <summary>
    /// The checksums of nothing, "a", "123456789", "hello world!", and 1 MiB in which byte i is i modulo 251, and the composite checksum of the third followed by the
    /// fourth, from Python's hashlib, libxxhash, and a bitwise CRC.
    /// </summary>
    public static TheoryData<ChecksumAlgorithm, string, string, string, string, string, string> Vectors => new()
    {
        { ChecksumAlgorithm.Crc64Nvme, "AAAAAAAAAAA=", "jC+ERbTL/Dw=", "rosUhgp5mIg=", "2RYNH6jkGOM=", "iCHZ8VD+yfw=", "plMU5Y0o7hw=-2" },
        { ChecksumAlgorithm.Crc32C, "AAAAAA==", "wdBDMA==", "4waSgw==", "SctXdw==", "3D4AcQ==", "IeWCXQ==-2" },
        { ChecksumAlgorithm.Crc32, "AAAAAA==", "6Le+Qw==", "y/Q5Jg==", "A7TCbQ==", "7w5gVA==", "pQZHCA==-2" },
        { ChecksumAlgorithm.Sha1, "2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "hvfkN/qlp/zhXR3cuerq6jd2Z7g=", "98O8HYCOBHMq32eZZczDTKeuNEE=", "QwzjTQIHJO11oZbfwq1nx3dy0Wk=", "wvxMsg8TAaaw3SEcGeaaE5JdvkA=", "9bADjqbtiS40KqWE1UbjWjYUR3M=-2" },
        { ChecksumAlgorithm.Sha256, "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=", "FeKw08M4keuw8e9gnsQZQgwg4yDOlMZfvIwzEkSOsiU=", "dQnlvaDHYtK6x/kNdYtbImP6Acy8VCq1498WO+CObKk=", "YxuEAn1rnlK1OcToNzYi0jAy363GTWCvhzOckDfk92k=", "hHQ3wVqSVxs9IAhGVka0uHj97Uu2MBy/PPPB39uiRkI=-2" },
        { ChecksumAlgorithm.Sha512, "z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==", "H0D8ktokFpR1CXnubPWC8tXX0o4YM13gWrxU0FYOD1MChgxlK/CNVgJSql50IQVG82n7u86MEs/HlXsmUv6adQ==", "2eZ2LdHI6vbWGzxhkvxAjU1tXxF20MKRabwk5xw/J0rSf81YEbMT1oH35V7ALXPUmclUVba1u1A6z1dPuo/+hQ==", "25sc0yYt7jd1agm5BklzWJhHyqjlPTGp0ULqJwGxsoq9l4OLuaJwaLowXcjQSkWh/PB53lTWB2ZplrPMVPa2fA==", "Z9rVae78mGo7JCT1UW1aAoS7U9e1LXX17YgaaDCpV2XMyCvEh1L7aTQiV58R3JpABWHsGIWvnu73A9u9MS1P0A==", "Ihwbj6EMm6j6y0GjcBaJ11Noh+IGdX//ybIB53J5FZlRfG1khKXcLjT3lARuOQdgldjKBWjnQ6Imju6r3Kdl2g==-2" },
        { ChecksumAlgorithm.XxHash64, "70bbN1HY6Zk=", "0k7E8amMbls=", "jLhB20DmroM=", "m7mgHcEPRwk=", "iawDmcRGSjE=", "xMsk/SZlT18=-2" },
        { ChecksumAlgorithm.XxHash3, "LQaABTjTlMI=", "5sYyth6WTh8=", "ctyxi2ehff8=", "4VXWE3KPSxg=", "bg16w2uMEP8=", "pjupurcr9tg=-2" },
        { ChecksumAlgorithm.XxHash128, "maoG0wFHmNhgAcMkRo1Jfw==", "qW+vcFrxaDTmxjK2HpZOHw==", "MxGUd+3l3NXpcWQnaB1YYA==", "nClnsFrtDHsS12v2aJayTQ==", "U3ONmAmMq7puDXrDa4wQ/w==", "RPIpYuV244afFbvzXItJdQ==-2" },
        { ChecksumAlgorithm.Md5, "1B2M2Y8AsgTpgAmY7PhCfg==", "DMF1ucDxtqgxw5niaXcmYQ==", "JfnnlDI7RTiF9RgfG2JNCw==", "/D/5joxqDTCH1RXARz+Gdw==", "jyk6L2wZs0UVL3pJu0xkPA==", "2lQhwn867gyueA9DFIXSIw==-2" },
    };

    public static TheoryData<ChecksumAlgorithm> Algorithms => [.. ChecksumTable.Stored.Select(static entry => entry.Algorithm)];

    private static byte[] OneMebibyte => [.. Enumerable.Range(0, 1 << 20).Select(static i => (byte)(i % 251))];

    [Theory]
    [MemberData(nameof(Vectors))]
    public void Value_IsThatOfOtherImplementations(ChecksumAlgorithm algorithm, string nothing, string a, string digits, string hello, string mebibyte, string composite)
    {
        Assert.Equal(
            [nothing, a, digits, hello, mebibyte],
            new[] { [], "a"u8.ToArray(), "123456789"u8.ToArray(), "hello world!"u8.ToArray(), OneMebibyte }.Select(content => Sum(algorithm, content, content.Length)));
        Assert.Equal(
            [nothing, a, digits, hello, mebibyte],
            new[] { [], "a"u8.ToArray(), "123456789"u8.ToArray(), "hello world!"u8.ToArray(), OneMebibyte }.Select(content => RunningChecksum.Compute(algorithm, content)));
        using ContentDigest digest = new(algorithm, [9, 12]);
        digest.Append("123456789hello world!"u8);
        Assert.Equal(composite, digest.ToBase64());
        Assert.Equal(composite, ChecksumCombiner.Composite(algorithm, [digits, hello]));
        if (ChecksumTable.Find(algorithm)!.BeginHash is not null)
        {
            Assert.Equal(composite, Combined(algorithm));
        }
    }

    [Theory]
    [MemberData(nameof(Algorithms))]
    public void Append_InTwoPiecesCutAnywhere_IsTheValueOfTheWhole(ChecksumAlgorithm algorithm)
    {
        byte[] content = Sample.Bytes(1100); // XXH3 keeps 256 bytes, and has a block of 1024
        string whole = Sum(algorithm, content, content.Length);

        Assert.All(Enumerable.Range(0, content.Length + 1), cut => Assert.Equal(whole, Sum(algorithm, content, cut)));
    }

    [Theory]
    [MemberData(nameof(Algorithms))]
    public void TryParse_ItsOwnValueOnly(ChecksumAlgorithm algorithm)
    {
        string value = Sum(algorithm, "a"u8.ToArray(), 1);
        PartChecksumValue parsed = PartChecksum.TryParse(algorithm, value, 1)!.Value;

        Assert.EachEqual((algorithm, 1L), (parsed.Algorithm, parsed.Crc.Length));
        Assert.Equal(ChecksumTable.Find(algorithm)!.Bytes, Convert.FromBase64String(value).Length);
        foreach (string? other in new[] { null, string.Empty, "AAAA", "AAAAAAAAAAAAAAAAAAAAAAA=", value + "-2", "!" + value[1..] })
        {
            Assert.Null(PartChecksum.TryParse(algorithm, other, 1));
        }
    }

    /// <summary>The server has its own table.</summary>
    [Fact]
    public void Rows_AreThoseOfTheServer()
    {
        Assert.Equal(10, ChecksumTable.Stored.Count);
        Assert.Equal(
            ChecksumInfo.Known.Select(static info => (info.Algorithm, (string?)info.ApiName, info.HeaderName, (string?)info.ElementName, info.Bytes, info.AllowsFullObject)).Order(),
            ChecksumTable.Stored.Select(static entry => (entry.Algorithm, entry.S3Name, entry.HeaderName, entry.ElementName, entry.Bytes, entry.MultipartType == "FULL_OBJECT")).Order());
        Assert.Equal(
            Enum.GetValues<ChecksumAlgorithm>().Except([ChecksumAlgorithm.Auto, ChecksumAlgorithm.None, ChecksumAlgorithm.ContentMd5]).Order(),
            ChecksumTable.Stored.Select(static entry => entry.Algorithm).Order());
    }

    /// <summary>Every response is searched, also those without a checksum.</summary>
    [Fact]
    public void FindValue_ResponseWithoutChecksum_AllocatesNothing()
    {
        string response = "none";
        _ = Find();
        long before = GC.GetAllocatedBytesForCurrentThread();

        StoredChecksum? found = Find();

        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
        Assert.Null(found);

        StoredChecksum? Find() => ChecksumTable.FindValue(response, static (text, entry) => text == entry.HeaderName ? text : null, static text => text);
    }

    [Theory]
    [InlineData(ChecksumAlgorithm.Auto)]
    [InlineData(ChecksumAlgorithm.None)]
    [InlineData((ChecksumAlgorithm)(-1))]
    [InlineData((ChecksumAlgorithm)99)]
    public void Find_NoAlgorithm_IsNull(ChecksumAlgorithm algorithm)
    {
        Assert.Null(ChecksumTable.Find(algorithm));
        Assert.Null(PartChecksum.TryParse(algorithm, "AAAAAA==", 1));
    }

    [Theory]
    [InlineData("XXHASH128", ChecksumAlgorithm.XxHash128)]
    [InlineData("MD5", ChecksumAlgorithm.Md5)]
    [InlineData("xxhash128", null)]
    [InlineData("", null)]
    [InlineData(null, null)]
    public void FindS3Name_IsExact(string? name, ChecksumAlgorithm? expected) => Assert.Equal(expected, ChecksumTable.FindS3Name(name)?.Algorithm);

    private static string Sum(ChecksumAlgorithm algorithm, byte[] content, int cut)
    {
        using PartChecksum sum = new(algorithm);
        sum.Append(content.AsSpan(0, cut));
        sum.Append(content.AsSpan(cut));
        return sum.ToBase64()!;
    }

    private static string? Combined(ChecksumAlgorithm algorithm)
    {
        ObjectChecksum checksum = new();
        foreach (string text in new[] { "123456789", "hello world!" })
        {
            using PartChecksum part = new(algorithm);
            part.Append(Encoding.ASCII.GetBytes(text));
            checksum.Add(part.ToValue());
        }

        return checksum.Expected;
    }
}
