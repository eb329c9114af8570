namespace Transfer.S3.Tests.Infrastructure;

/// <summary>Provides every combination of some values as data of a theory.</summary>
internal static class Matrix
{
    public static TheoryData<T1, T2> Of<T1, T2>(IEnumerable<T1> first, IEnumerable<T2> second)
    {
        TheoryData<T1, T2> data = [];
        foreach (T1 one in first)
        {
            foreach (T2 two in second)
            {
                data.Add(one, two);
            }
        }

        return data;
    }

    public static TheoryData<T1, T2, T3> Of<T1, T2, T3>(IEnumerable<T1> first, IEnumerable<T2> second, IReadOnlyCollection<T3> third)
    {
        TheoryData<T1, T2, T3> data = [];
        foreach (T1 one in first)
        {
            foreach (T2 two in second)
            {
                foreach (T3 three in third)
                {
                    data.Add(one, two, three);
                }
            }
        }

        return data;
    }
}
