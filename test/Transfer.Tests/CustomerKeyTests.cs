namespace Transfer.S3.Tests;

public sealed class CustomerKeyTests
{
    private static readonly byte[] Key = [.. Enumerable.Range(100, CustomerKey.LengthBytes).Select(i => (byte)i)];

    [Fact]
    public void ToString_KeyAndOptions_DoNotShowTheKey()
    {
        CustomerKey key = new(Key);
        string options = new DownloadOptions { CustomerKey = key }.ToString();

        Assert.All([key.ToString(), options], text =>
        {
            Assert.Contains("not shown", text, StringComparison.Ordinal);
            Assert.DoesNotContain(Convert.ToBase64String(Key), text, StringComparison.Ordinal);
        });
        Assert.Empty(typeof(CustomerKey).GetProperties()); // nothing that a serializer or a structured log could read
    }

    [Fact]
    public void FromBase64_IsTheSameKey() => Assert.Equal(new CustomerKey(Key).Base64Md5, CustomerKey.FromBase64(Convert.ToBase64String(Key)).Base64Md5);

    [Theory]
    [InlineData("")]
    [InlineData("c2hvcnQ=")]
    [InlineData("not base64, and secret all the same!")]
    public void FromBase64_Invalid_RejectedWithoutShowingIt(string text)
    {
        ArgumentException e = Assert.Throws<ArgumentException>(() => CustomerKey.FromBase64(text));

        Assert.True(text.Length == 0 || !e.Message.Contains(text, StringComparison.Ordinal));
    }
}
