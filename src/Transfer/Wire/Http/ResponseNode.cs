namespace Transfer.S3.Wire.Http;

/// <summary>What a <see cref="ResponseReader"/> has read.</summary>
internal enum ResponseNode
{
    /// <summary>The start of an element.</summary>
    Start,

    /// <summary>Text.</summary>
    Text,

    /// <summary>The end of the element that began last.</summary>
    End,
}
