namespace Transfer.S3.Wire;

/// <summary>The place of an item in a list: lists of objects and uploads are in the order of their keys, and lists of parts in that of their numbers.</summary>
internal readonly record struct PagePlace(string Key, int Number = 0)
{
    public bool IsBefore(PagePlace other) => KeyOrder.Instance.Compare(Key, other.Key) is var order and not 0 ? order < 0 : Number < other.Number;

    public override string ToString() => Key.Length > 0 ? Key : Number.ToString(System.Globalization.CultureInfo.InvariantCulture);
}
